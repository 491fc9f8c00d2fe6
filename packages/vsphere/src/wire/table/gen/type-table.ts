// Facts of the vSphere API, written by `npm run schema`; the format is told by ../read-table.ts. Do not edit.
export const typeTableText = `source pyvmomi 9.1.1.0
version pbm/1.0 vmodl/version2
version pbm/2.0 pbm/1.0
version pbm/6.5 pbm/2.0 vim/6.5
version pbm/6.7 pbm/6.5 vim/6.7
version pbm/6.7.1 pbm/6.7 vim/6.7.1
version pbm/6.7.2 pbm/6.7.1 vim/6.7.2
version pbm/7.0.0.0 pbm/6.7.2 vim/7.0.0.0
version pbm/7.0.0.1 pbm/7.0.0.0
version pbm/7.0.1.0 pbm/7.0.0.1 vim/7.0.1.0
version pbm/7.0.2.0 pbm/7.0.1.0 vim/7.0.2.0
version pbm/7.0.3.0 pbm/7.0.2.0 vim/7.0.3.0
version pbm/8.0.0.0 pbm/7.0.3.0 vim/8.0.0.0
version pbm/8.0.0.1 pbm/8.0.0.0 vim/8.0.0.1
version pbm/8.0.1.0 pbm/8.0.0.1 vim/8.0.1.0
version pbm/8.0.2.0 pbm/8.0.1.0 vim/8.0.2.0
version pbm/8.0.3.0 pbm/8.0.2.0 vim/8.0.3.0
version pbm/8.0.3.1 pbm/8.0.3.0 vim/8.0.3.1
version pbm/9.0.0.0 pbm/8.0.3.1 vim/9.0.0.0
version pbm/9.1.0.0 pbm/9.0.0.0 vim/9.1.0.0
version pbm/9.1.1.0 pbm/9.1.0.0 vim/9.1.1.0
version query/version1 vmodl/version0
version query/version2 query/version1 vmodl/version1
version query/version3 query/version2
version query/version4 query/version3 vmodl/version2
version query/version5 query/version4 vmodl/version3
version vim/2.0 query/version1
version vim/2.5 vim/2.0
version vim/2.5u2 vim/2.5
version vim/2.5u2server vim/2.5u2
version vim/4.0 query/version2 vim/2.5u2server
version vim/4.1 query/version3 vim/4.0
version vim/5.0 query/version4 vim/4.1
version vim/5.1 vim/5.0
version vim/5.5 vim/5.1
version vim/6.0 vim/5.5
version vim/6.5 vim/6.0
version vim/6.7 vim/6.5
version vim/6.7.1 vim/6.7
version vim/6.7.2 vim/6.7.1
version vim/6.7.3 vim/6.7.2
version vim/6.8.7 vim/6.7.3
version vim/6.9.1 vim/6.8.7
version vim/7.0.0.0 vim/6.9.1
version vim/7.0.0.2 vim/7.0.0.0
version vim/7.0.1.0 vim/7.0.0.2
version vim/7.0.1.1 vim/7.0.1.0
version vim/7.0.2.0 vim/7.0.1.1
version vim/7.0.2.1 vim/7.0.2.0
version vim/7.0.3.0 vim/7.0.2.1
version vim/7.0.3.1 vim/7.0.3.0
version vim/7.0.3.2 vim/7.0.3.1
version vim/8.0.0.0 vim/7.0.3.2
version vim/8.0.0.1 vim/8.0.0.0
version vim/8.0.0.2 vim/8.0.0.1
version vim/8.0.1.0 vim/8.0.0.2
version vim/8.0.2.0 vim/8.0.1.0
version vim/8.0.3.0 vim/8.0.2.0
version vim/8.0.3.1 vim/8.0.3.0
version vim/9.0.0.0 vim/8.0.3.1
version vim/9.1.0.0 query/version5 vim/9.0.0.0
version vim/9.1.1.0 vim/m5CA1EF4D
version vim/m5CA1EF4D vim/9.1.0.0
version vmodl/version0
version vmodl/version1 vmodl/version0
version vmodl/version2 vmodl/version1
version vmodl/version3 vmodl/version2
version vsan/6.6 vim/6.5
version vsan/6.6.1 vsan/6.6
version vsan/6.6.2 vsan/6.6.1
version vsan/6.7 vim/6.7 vsan/6.7.0
version vsan/6.7.0 vsan/6.6.2
version vsan/6.8.7 vsan/vSAN_6.7U1
version vsan/7.0 vsan/vSAN_6.7U3
version vsan/7.1 vsan/7.0
version vsan/7.2 vsan/7.1
version vsan/7.3 vsan/vSAN_7.0U2
version vsan/7.4 vsan/vSAN_7.0U3
version vsan/8.0.0.1 vim/8.0.0.1 vsan/7.4
version vsan/8.0.0.2 vsan/8.0.0.1
version vsan/8.0.0.3 vsan/8.0.0.2
version vsan/8.0.0.4 vsan/8.0.0.3
version vsan/9.0.0.0 vim/9.0.0.0 vsan/8.0.0.4
version vsan/9.1.0.0 vim/9.1.0.0 vsan/9.0.0.0
version vsan/9.1.1.0 vim/9.1.1.0 vsan/m08AD453F
version vsan/VMC_M5 vsan/6.7
version vsan/m08AD453F vsan/9.1.0.0
version vsan/vSAN_6.7U1 vim/6.7.1 vsan/VMC_M5
version vsan/vSAN_6.7U3 vsan/6.8.7
version vsan/vSAN_7.0U1 vsan/7.2
version vsan/vSAN_7.0U2 vsan/vSAN_7.0U1
version vsan/vSAN_7.0U3 vsan/7.3
data AboutInfo DynamicData vim/2.0
 name string
 fullName string
 vendor string
 version string
 patchLevel string? vim/7.0.2.0
 build string
 localeVersion string?
 localeBuild string?
 osType string
 productLineId string
 apiType string
 apiVersion string
 instanceUuid string? vim/4.0
 licenseProductName string? vim/4.0
 licenseProductVersion string? vim/4.0
fault ActiveDirectoryFault VimFault vim/4.1
 errorCode int?
fault ActiveVMsBlockingEVC EVCConfigFault vim/2.5u2
 evcMode string? vim/4.0
 host @HostSystem[]? vim/4.0
 hostName string[]? vim/4.0
fault AdminDisabled HostConfigFault vim/2.5
fault AdminNotDisabled HostConfigFault vim/2.5
fault AffinityConfigured MigrationFault vim/2.0
 configuredAffinity string[]
fault AgentInstallFailed HostConnectFault vim/2.0
 reason string? vim/4.0
 statusCode int? vim/4.0
 installerOutput string? vim/4.0
fault AlreadyBeingManaged HostConnectFault vim/2.0
 ipAddress string
fault AlreadyConnected HostConnectFault vim/2.0
 name string
fault AlreadyExists VimFault vim/2.0
 name string?
fault AlreadyUpgraded VimFault vim/2.0
fault AnswerFileUpdateFailed VimFault vim/5.0
 failure AnswerFileUpdateFailure[]
fault ApplicationQuiesceFault SnapshotFault vim/2.0
enum ArrayUpdateOperation vim/2.0 add remove edit
data ArrayUpdateSpec DynamicData vim/2.0
 operation ArrayUpdateOperation
 removeKey anyType?
fault AuthMinimumAdminPermission VimFault vim/2.0
fault AuthenticationRequired RuntimeFault vmodl/version3
 authenticate AuthenticationRequiredChallenge[]
data AuthorizationDescription DynamicData vim/2.0
 privilege ElementDescription[]
 privilegeGroup ElementDescription[]
object AuthorizationManager ManagedObject vim/2.0
 privilegeList AuthorizationPrivilege[]?
 roleList AuthorizationRole[]?
 description AuthorizationDescription
 AddAuthorizationRole() int vim/2.0 Authorization.ModifyRoles AlreadyExists,InvalidName
  name string
  privIds string[]?
 RemoveAuthorizationRole() void vim/2.0 Authorization.ModifyRoles NotFound,RemoveFailed
  roleId int
  failIfUsed boolean
 UpdateAuthorizationRole() void vim/2.0 Authorization.ModifyRoles NotFound,InvalidName,AlreadyExists
  roleId int
  newName string
  privIds string[]?
 RetrieveRolePermissions() Permission[]? vim/2.0 System.View NotFound
  roleId int
 RetrieveEntityPermissions() Permission[]? vim/2.0 - -
  entity @ManagedEntity
  inherited boolean
 RetrieveAllPermissions() Permission[]? vim/2.0 System.View -
 SetEntityPermissions() void vim/2.0 - UserNotFound,NotFound,AuthMinimumAdminPermission
  entity @ManagedEntity
  permission Permission[]?
 RemoveEntityPermission() void vim/2.0 - NotFound,AuthMinimumAdminPermission
  entity @ManagedEntity
  user string
  isGroup boolean
 HasPrivilegeOnEntities() EntityPrivilege[]? vim/5.5 System.View -
  entity @ManagedEntity[]
  sessionId string
  privId string[]?
 FetchUserPrivilegeOnEntities() UserPrivilegeResult[]? vim/6.5 - -
  entities @ManagedEntity[]
  userName string
data AuthorizationPrivilege DynamicData vim/2.0
 privId string
 onParent boolean
 name string
 privGroupName string
data AuthorizationRole DynamicData vim/2.0
 roleId int
 system boolean
 name string
 info Description
 privilege string[]?
fault BackupBlobReadFailure DvsFault vim/5.1
 entityName string
 entityType string
 fault LocalizedMethodFault
fault BackupBlobWriteFailure DvsFault vim/5.1
 entityName string
 entityType string
 fault LocalizedMethodFault
data BaseConfigInfo DynamicData vim/6.5
 id ID
 name string
 createTime dateTime
 keepAfterDeleteVm boolean? vim/6.7
 relocationDisabled boolean? vim/6.7
 nativeSnapshotSupported boolean? vim/6.7
 changedBlockTrackingEnabled boolean? vim/6.7
 backing BaseConfigInfoBackingInfo
 metadata KeyValue[]? vim/7.0.2.0
 vclock vslmVClockInfo? vim/7.0.2.0
 iofilter string[]? vim/6.7
data BaseConfigInfoBackingInfo DynamicData vim/6.5
 datastore @Datastore
data BaseConfigInfoDiskFileBackingInfo BaseConfigInfoFileBackingInfo vim/6.5
 provisioningType string
data BaseConfigInfoFileBackingInfo BaseConfigInfoBackingInfo vim/6.5
 filePath string
 backingObjectId string?
 parent BaseConfigInfoFileBackingInfo?
 deltaSizeInMB long?
 keyId CryptoKeyId? vim/7.0.0.0
 sharedFileBacking boolean? vim/9.1.0.0
fault BlockedByFirewall HostConfigFault vim/4.1
data BoolOption OptionType vim/2.0
 supported boolean
 defaultValue boolean
fault CAMServerRefusedConnection InvalidCAMServer vim/5.0
fault CannotAccessFile FileFault vim/2.0
fault CannotAccessLocalSource VimFault vim/2.0
fault CannotAccessNetwork CannotAccessVmDevice vim/2.0
 network @Network? vim/6.0
fault CannotAccessVmComponent VmConfigFault vim/2.0
fault CannotAccessVmConfig CannotAccessVmComponent vim/2.0
 reason LocalizedMethodFault
fault CannotAccessVmDevice CannotAccessVmComponent vim/2.0
 device string
 backing string
 connected boolean
fault CannotAccessVmDisk CannotAccessVmDevice vim/2.0
 fault LocalizedMethodFault
fault CannotAddHostWithFTVmAsStandalone HostConnectFault vim/4.0
fault CannotAddHostWithFTVmToDifferentCluster HostConnectFault vim/4.0
fault CannotAddHostWithFTVmToNonHACluster HostConnectFault vim/4.0
fault CannotChangeDrsBehaviorForFtSecondary VmFaultToleranceIssue vim/4.1
 vm @VirtualMachine
 vmName string
fault CannotChangeHaSettingsForFtSecondary VmFaultToleranceIssue vim/4.1
 vm @VirtualMachine
 vmName string
fault CannotChangeVsanClusterUuid VsanFault vim/5.5
fault CannotChangeVsanNodeUuid VsanFault vim/5.5
fault CannotComputeFTCompatibleHosts VmFaultToleranceIssue vim/6.0
 vm @VirtualMachine
 vmName string
fault CannotCreateFile FileFault vim/2.5
fault CannotDecryptPasswords CustomizationFault vim/2.0
fault CannotDeleteFile FileFault vim/2.0
fault CannotDisableDrsOnClustersWithVApps RuntimeFault vim/4.1
fault CannotDisableSnapshot VmConfigFault vim/2.5
fault CannotDisconnectHostWithFaultToleranceVm VimFault vim/4.0
 hostName string
fault CannotEnableVmcpForCluster VimFault vim/6.0
 host @HostSystem?
 hostName string?
 reason string?
fault CannotModifyConfigCpuRequirements MigrationFault vim/2.0
fault CannotMoveFaultToleranceVm VimFault vim/4.0
 moveType string
 vmName string
fault CannotMoveHostWithFaultToleranceVm VimFault vim/4.0
fault CannotMoveVmWithDeltaDisk MigrationFault vim/5.0
 device string
fault CannotMoveVmWithNativeDeltaDisk MigrationFault vim/5.0
fault CannotMoveVsanEnabledHost VsanFault vim/5.5
fault CannotPlaceWithoutPrerequisiteMoves VimFault vim/5.1
fault CannotPowerOffVmInCluster InvalidState vim/5.0
 operation string
 vm @VirtualMachine
 vmName string
fault CannotReconfigureVsanWhenHaEnabled VsanFault vim/5.5
fault CannotUseNetwork VmConfigFault vim/5.5
 device string
 backing string
 connected boolean
 reason string
 network @Network? vim/6.0
data ChoiceOption OptionType vim/2.0
 choiceInfo ElementDescription[]
 defaultIndex int?
fault ClockSkew HostConfigFault vim/4.1
fault CloneFromSnapshotNotSupported MigrationFault vim/4.0
object ClusterComputeResource ComputeResource vim/2.0
 configuration ClusterConfigInfo
 recommendation ClusterRecommendation[]? vim/2.5
 drsRecommendation ClusterDrsRecommendation[]?
 summaryEx ClusterComputeResourceSummary vim/7.0.1.1
 hciConfig ClusterComputeResourceHCIConfigInfo? vim/6.7.1
 migrationHistory ClusterDrsMigration[]?
 actionHistory ClusterActionHistory[]? vim/2.5
 drsFault ClusterDrsFaults[]? vim/4.0
data ClusterComputeResourceSummary ComputeResourceSummary vim/2.0
 currentFailoverLevel int
 admissionControlInfo ClusterDasAdmissionControlInfo? vim/4.0
 numVmotions int
 targetBalance int? vim/4.0
 currentBalance int? vim/4.0
 drsScore int? vim/7.0.0.0
 numVmsPerDrsScoreBucket int[]? vim/7.0.0.0
 usageSummary ClusterUsageSummary? vim/6.0
 currentEVCModeKey string? vim/4.0
 currentEVCGraphicsModeKey string? vim/7.0.1.0
 dasData ClusterDasData? vim/5.0
 clusterMaintenanceModeStatus string? vim/7.0.0.2
 vcsHealthStatus string? vim/7.0.1.1
 vcsSlots ClusterComputeResourceVcsSlots[]? vim/7.0.1.1
data ClusterConfigInfoEx ComputeResourceConfigInfo vim/2.5
 systemVMsConfig ClusterSystemVMsConfigInfo? vim/7.0.3.0
 dasConfig ClusterDasConfigInfo
 dasVmConfig ClusterDasVmConfigInfo[]?
 drsConfig ClusterDrsConfigInfo
 drsVmConfig ClusterDrsVmConfigInfo[]?
 rule ClusterRuleInfo[]?
 orchestration ClusterOrchestrationInfo? vim/6.5
 vmOrchestration ClusterVmOrchestrationInfo[]? vim/6.5
 dpmConfigInfo ClusterDpmConfigInfo?
 dpmHostConfig ClusterDpmHostConfigInfo[]?
 vsanConfigInfo VsanClusterConfigInfo? vim/5.5
 vsanHostConfig VsanHostConfigInfo[]? vim/5.5
 group ClusterGroupInfo[]? vim/4.1
 infraUpdateHaConfig ClusterInfraUpdateHaConfigInfo? vim/6.5
 proactiveDrsConfig ClusterProactiveDrsConfigInfo? vim/6.5
 cryptoConfig ClusterCryptoConfigInfo? vim/7.0.0.0
 vsanCoreConfig VsanClusterCoreConfig? vim/9.0.0.0
data ClusterDasConfigInfo DynamicData vim/2.0
 enabled boolean?
 vmMonitoring string? vim/4.0
 hostMonitoring string? vim/4.0
 vmComponentProtecting string? vim/6.0
 failoverLevel int?
 admissionControlPolicy ClusterDasAdmissionControlPolicy? vim/4.0
 admissionControlEnabled boolean?
 defaultVmSettings ClusterDasVmSettings? vim/2.5
 option OptionValue[]?
 heartbeatDatastore @Datastore[]? vim/5.0
 hBDatastoreCandidatePolicy string? vim/5.0
data ClusterDrsConfigInfo DynamicData vim/2.0
 enabled boolean?
 enableVmBehaviorOverrides boolean? vim/4.0
 defaultVmBehavior DrsBehavior?
 vmotionRate int?
 scaleDescendantsShares string? vim/7.0.0.0
 option OptionValue[]?
data CnsAccessControlSpec DynamicData vsan/vSAN_7.0U2
fault CnsAlreadyRegisteredFault CnsFault vsan/7.2
 volumeId CnsVolumeId
data CnsBackingObjectDetails DynamicData vsan/vSAN_6.7U3
 capacityInMb long?
data CnsBaseCreateSpec DynamicData vsan/7.0
data CnsBlockBackingDetails CnsBackingObjectDetails vsan/vSAN_6.7U3
 backingDiskId string?
 backingDiskUrlPath string? vsan/7.2
 backingDiskPath string? vsan/vSAN_7.0U2
 backingDiskObjectId string? vsan/vSAN_7.0U2
 usedCapacityInMb long? vsan/8.0.0.1
 aggregatedSnapshotCapacityInMb long? vsan/9.0.0.0
data CnsBlockCreateSpec CnsBaseCreateSpec vsan/9.1.0.0
 cryptoSpec CryptoSpec?
data CnsBlockVolumeRelocateSpec CnsVolumeRelocateSpec vsan/7.4
data CnsCloneVolumeSource CnsVolumeSource vsan/9.1.0.0
 volumeId CnsVolumeId
 keepAfterDeleteVm boolean?
data CnsContainerCluster DynamicData vsan/vSAN_6.7U3
 clusterType string
 clusterId string
 vSphereUser string
 clusterFlavor string? vsan/7.0
 clusterDistribution string? vsan/vSAN_7.0U2
 delete boolean? vsan/8.0.0.2
data CnsCursor DynamicData vsan/vSAN_6.7U3
 offset long
 limit long
 totalRecords long?
data CnsEntityMetadata DynamicData vsan/vSAN_6.7U3
 entityName string
 labels KeyValue[]?
 delete boolean?
 clusterId string? vsan/7.0
fault CnsFault VimFault vsan/vSAN_6.7U3
 reason string
data CnsFileBackingDetails CnsBackingObjectDetails vsan/7.0
 backingFileId string?
data CnsFileCreateSpec CnsBaseCreateSpec vsan/7.0
fault CnsInCompatibleFault CnsPlacementFault vsan/vSAN_7.0U2
 errors LocalizedMethodFault[]?
data CnsKubernetesEntityMetadata CnsEntityMetadata vsan/vSAN_6.7U3
 entityType string
 namespace string?
 referredEntity CnsKubernetesEntityReference[]? vsan/7.0
data CnsKubernetesEntityReference DynamicData vsan/7.0
 entityType string
 entityName string
 namespace string?
 clusterId string?
data CnsKubernetesQueryFilter CnsQueryFilter vsan/7.0
 namespaces string[]?
 podNames string[]?
 pvcNames string[]?
 pvNames string[]?
fault CnsMissingControllerFault CnsFault vsan/8.0.0.3
fault CnsMissingPrivilegeFault CnsPlacementFault vsan/vSAN_7.0U2
 privileges string[]?
data CnsNFSAccessControlSpec CnsAccessControlSpec vsan/vSAN_7.0U2
 netPermission VsanFileShareNetPermission
 delete boolean?
fault CnsNotRegisteredFault CnsFault vsan/7.4
 volumeId CnsVolumeId
fault CnsPlacementFault CnsFault vsan/vSAN_7.0U2
data CnsPlacementResult DynamicData vsan/vSAN_7.0U2
 datastore @Datastore
 placementFaults LocalizedMethodFault[]?
 clusters @ClusterComputeResource[]? vsan/9.1.0.0
data CnsQueryFilter DynamicData vsan/vSAN_6.7U3
 volumeIds CnsVolumeId[]?
 names string[]?
 containerClusterIds string[]?
 storagePolicyId string?
 datastores @Datastore[]?
 labels KeyValue[]?
 complianceStatus string?
 datastoreAccessibilityStatus string?
 cursor CnsCursor?
 healthStatus string? vsan/7.0
data CnsQueryResult DynamicData vsan/vSAN_6.7U3
 volumes CnsVolume[]?
 cursor CnsCursor
data CnsQuerySelection DynamicData vsan/vSAN_6.7U3
 names string[]?
fault CnsRankedLowerFault CnsPlacementFault vsan/vSAN_7.0U2
data CnsSnapshotCreateSpec DynamicData vsan/7.0
 volumeId CnsVolumeId
 description string
 snapshotId CnsSnapshotId? vsan/9.1.0.0
data CnsSnapshotDeleteSpec DynamicData vsan/7.0
 volumeId CnsVolumeId
 snapshotId CnsSnapshotId
data CnsSnapshotId DynamicData vsan/7.0
 id string
fault CnsSnapshotNotFoundFault CnsFault vsan/7.4
 volumeId CnsVolumeId?
 SnapshotId CnsSnapshotId
data CnsSnapshotVolumeSource CnsVolumeSource vsan/7.0
 volumeId CnsVolumeId?
 snapshotId CnsSnapshotId?
 linkedClone boolean? vsan/9.1.0.0
data CnsVSANFileCreateSpec CnsFileCreateSpec vsan/7.0
 softQuotaInMb long?
 permission VsanFileShareNetPermission[]?
data CnsVolume DynamicData vsan/vSAN_6.7U3
 volumeId CnsVolumeId
 datastoreUrl string?
 name string?
 volumeType string?
 storagePolicyId string?
 metadata CnsVolumeMetadata?
 backingObjectDetails CnsBackingObjectDetails?
 complianceStatus string?
 datastoreAccessibilityStatus string?
 healthStatus string? vsan/7.0
data CnsVolumeACLConfigureSpec DynamicData vsan/vSAN_7.0U2
 volumeId CnsVolumeId
 accessControlSpecList CnsAccessControlSpec[]
fault CnsVolumeAlreadyExistsFault CnsFault vsan/9.1.0.0
 volumeId CnsVolumeId
 datastore @Datastore?
data CnsVolumeAttachDetachSpec DynamicData vsan/vSAN_6.7U3
 volumeId CnsVolumeId
 vm @VirtualMachine
 diskMode string? vsan/9.1.0.0
 sharing string? vsan/9.1.0.0
 controllerKey int? vsan/9.1.0.0
 unitNumber int? vsan/9.1.0.0
 backingTypeName string? vsan/9.1.0.0
 volumeEncrypted boolean? vsan/9.1.0.0
data CnsVolumeAttachResult CnsVolumeOperationResult vsan/vSAN_6.7U3
 diskUUID string?
data CnsVolumeCreateResult CnsVolumeOperationResult vsan/vSAN_6.7U3
 name string?
 placementResults CnsPlacementResult[]? vsan/vSAN_7.0U2
data CnsVolumeCreateSpec DynamicData vsan/vSAN_6.7U3
 name string
 volumeType string
 volumeId CnsVolumeId? vsan/9.1.0.0
 datastores @Datastore[]?
 metadata CnsVolumeMetadata?
 backingObjectDetails CnsBackingObjectDetails
 profile VirtualMachineProfileSpec[]?
 activeClusters @ClusterComputeResource[]? vsan/9.1.0.0
 createSpec CnsBaseCreateSpec? vsan/7.0
 volumeSource CnsVolumeSource? vsan/7.0
data CnsVolumeExtendSpec DynamicData vsan/vSAN_6.7U3
 volumeId CnsVolumeId
 capacityInMb long
data CnsVolumeId DynamicData vsan/vSAN_6.7U3
 id string
object CnsVolumeManager ManagedObject vsan/vSAN_6.7U3
 CnsCreateVolume() @Task vsan/vSAN_6.7U3 - InvalidArgument,NotFound,CnsFault
  createSpecs CnsVolumeCreateSpec[]
 CnsUpdateVolumeMetadata() @Task vsan/vSAN_6.7U3 - InvalidArgument,NotFound,CnsFault
  updateSpecs CnsVolumeMetadataUpdateSpec[]
 CnsDeleteVolume() @Task vsan/vSAN_6.7U3 - InvalidArgument,NotFound,CnsFault,ResourceInUse
  volumeIds CnsVolumeId[]
  deleteDisk boolean
 CnsAttachVolume() @Task vsan/vSAN_6.7U3 - InvalidArgument,ManagedObjectNotFound,ResourceInUse,NotFound,CnsFault
  attachSpecs CnsVolumeAttachDetachSpec[]
 CnsDetachVolume() @Task vsan/vSAN_6.7U3 - InvalidArgument,ManagedObjectNotFound,NotFound,CnsFault
  detachSpecs CnsVolumeAttachDetachSpec[]
 CnsQueryVolume() CnsQueryResult vsan/vSAN_6.7U3 Cns.Searchable InvalidArgument,CnsFault
  filter CnsQueryFilter
  selection CnsQuerySelection? vsan/7.3
 CnsConfigureVolumeACLs() @Task vsan/vSAN_7.0U2 - InvalidArgument,NotFound,CnsFault
  ACLConfigSpecs CnsVolumeACLConfigureSpec[]
 CnsExtendVolume() @Task vsan/vSAN_6.7U3 - InvalidArgument,NotFound,CnsFault
  extendSpecs CnsVolumeExtendSpec[]
 CnsCreateSnapshots() @Task vsan/7.0 - InvalidArgument,NotFound,CnsFault
  snapshotSpecs CnsSnapshotCreateSpec[]
 CnsDeleteSnapshots() @Task vsan/7.0 - NotFound,CnsFault
  snapshotDeleteSpecs CnsSnapshotDeleteSpec[]
 CnsRelocateVolume() @Task vsan/7.4 - AlreadyExists,InvalidArgument,NotFound,CnsFault
  relocateSpecs CnsVolumeRelocateSpec[]
 CnsReconfigVolumePolicy() @Task vsan/8.0.0.2 - InvalidArgument,NotFound,CnsFault
  volumePolicyReconfigSpecs CnsVolumePolicyReconfigSpec[]?
data CnsVolumeMetadata DynamicData vsan/vSAN_6.7U3
 containerCluster CnsContainerCluster
 entityMetadata CnsEntityMetadata[]?
 containerClusterArray CnsContainerCluster[]? vsan/7.0
data CnsVolumeMetadataUpdateSpec DynamicData vsan/vSAN_6.7U3
 volumeId CnsVolumeId
 metadata CnsVolumeMetadata
fault CnsVolumeNotFoundFault CnsFault vsan/7.4
 volumeId CnsVolumeId
data CnsVolumeOperationBatchResult DynamicData vsan/vSAN_6.7U3
 volumeResults CnsVolumeOperationResult[]?
data CnsVolumeOperationResult DynamicData vsan/vSAN_6.7U3
 volumeId CnsVolumeId?
 fault LocalizedMethodFault?
data CnsVolumePolicyReconfigSpec DynamicData vsan/8.0.0.2
 volumeId CnsVolumeId
 profile VirtualMachineProfileSpec[]?
data CnsVolumeRelocateSpec DynamicData vsan/7.4
 volumeId CnsVolumeId
 datastore @Datastore
 profile VirtualMachineProfileSpec[]?
data CnsVolumeSource DynamicData vsan/7.0
data CnsVsanFileShareBackingDetails CnsFileBackingDetails vsan/7.0
 name string?
 accessPoints KeyValue[]?
 permission VsanFileShareNetPermission[]? vsan/vSAN_7.0U2
fault CollectorAddressUnset DvsFault vim/5.1
object ComputeResource ManagedEntity vim/2.0
 resourcePool @ResourcePool?
 host @HostSystem[]?
 datastore @Datastore[]?
 network @Network[]?
 summary ComputeResourceSummary
 environmentBrowser @EnvironmentBrowser?
 configurationEx ComputeResourceConfigInfo vim/2.5
 lifecycleManaged boolean? vim/6.9.1
 configManagerEnabled boolean? vim/8.0.0.0
 networkBootMode string? vim/9.0.0.0
data ComputeResourceConfigInfo DynamicData vim/2.5
 vmSwapPlacement string
 spbmEnabled boolean? vim/5.0
 defaultHardwareVersionKey string? vim/5.1
 maximumHardwareVersionKey string? vim/7.0.2.0
data ComputeResourceSummary DynamicData vim/2.0
 totalCpu int
 totalMemory long
 numCpuCores short
 numCpuThreads short
 effectiveCpu int
 effectiveMemory long
 numHosts int
 numEffectiveHosts int
 overallStatus ManagedEntityStatus
fault ConcurrentAccess VimFault vim/2.0
fault ConflictingConfiguration DvsFault vim/5.5
 configInConflict ConflictingConfigurationConfig[]
fault ConflictingDatastoreFound RuntimeFault vim/5.1
 name string
 url string
fault ConnectedIso OvfExport vim/4.0
 cdrom VirtualCdrom
 filename string
object ContainerView ManagedObjectView vim/2.5
 container @ManagedEntity
 type string[]?
 recursive boolean
fault CpuCompatibilityUnknown CpuIncompatible vim/2.0
fault CpuHotPlugNotSupported VmConfigFault vim/4.0
fault CpuIncompatible VirtualHardwareCompatibilityIssue vim/2.0
 level int
 registerName string
 registerBits string? vim/2.5
 desiredBits string? vim/2.5
 host @HostSystem? vim/2.5
fault CpuIncompatible1ECX CpuIncompatible vim/2.5
 sse3 boolean
 pclmulqdq boolean vim/5.0
 ssse3 boolean
 sse41 boolean
 sse42 boolean
 aes boolean vim/5.0
 other boolean
 otherOnly boolean
fault CpuIncompatible81EDX CpuIncompatible vim/2.5
 nx boolean
 ffxsr boolean
 rdtscp boolean
 lm boolean
 other boolean
 otherOnly boolean
data CryptoKeyId DynamicData vim/6.5
 keyId string
 providerId KeyProviderId?
data CryptoSpec DynamicData vim/6.5
data CryptoSpecDecrypt CryptoSpec vim/6.5
data CryptoSpecDeepRecrypt CryptoSpec vim/6.5
 newKeyId CryptoKeyId
data CryptoSpecEncrypt CryptoSpec vim/6.5
 cryptoKeyId CryptoKeyId
data CryptoSpecNoOp CryptoSpec vim/6.5
data CryptoSpecRegister CryptoSpecNoOp vim/6.5
 cryptoKeyId CryptoKeyId
data CryptoSpecShallowRecrypt CryptoSpec vim/6.5
 newKeyId CryptoKeyId
data CustomFieldDef DynamicData vim/2.0
 key int
 name string
 type string
 managedObjectType string? vim/2.5
 fieldDefPrivileges PrivilegePolicyDef? vim/2.5
 fieldInstancePrivileges PrivilegePolicyDef? vim/2.5
data CustomFieldStringValue CustomFieldValue vim/2.0
 value string
data CustomFieldValue DynamicData vim/2.0
 key int
object CustomFieldsManager ManagedObject vim/2.0
 field CustomFieldDef[]?
fault CustomizationFault VimFault vim/2.0
fault CustomizationPending CustomizationFault vim/2.5
fault DVPortNotSupported DeviceBackingNotSupported vim/4.1
fault DasConfigFault VimFault vim/2.0
 reason string? vim/4.0
 output string? vim/4.0
 event Event[]? vim/4.0
fault DatabaseError RuntimeFault vim/2.0
object Datacenter ManagedEntity vim/2.0
 vmFolder @Folder
 hostFolder @Folder
 datastoreFolder @Folder vim/4.0
 networkFolder @Folder vim/4.0
 datastore @Datastore[]?
 network @Network[]?
 configuration DatacenterConfigInfo vim/5.1
fault DatacenterMismatch MigrationFault vim/2.0
 invalidArgument DatacenterMismatchArgument[]
 expectedDatacenter @Datacenter
object Datastore ManagedEntity vim/2.0
 info DatastoreInfo
 summary DatastoreSummary
 host DatastoreHostMount[]?
 vm @VirtualMachine[]?
 browser @HostDatastoreBrowser
 capability DatastoreCapability
 iormConfiguration StorageIORMInfo? vim/4.1
data DatastoreCapability DynamicData vim/2.0
 directoryHierarchySupported boolean
 rawDiskMappingsSupported boolean
 perFileThinProvisioningSupported boolean
 storageIORMSupported boolean vim/4.1
 nativeSnapshotSupported boolean vim/5.1
 topLevelDirectoryCreateSupported boolean? vim/5.5
 seSparseSupported boolean? vim/5.5
 vmfsSparseSupported boolean? vim/6.5
 vsanSparseSupported boolean? vim/6.5
 upitSupported boolean? vim/6.5
 vmdkExpandSupported boolean? vim/6.7
 clusteredVmdkSupported boolean? vim/7.0.0.0
data DatastoreHostMount DynamicData vim/2.0
 key @HostSystem
 mountInfo HostMountInfo
data DatastoreInfo DynamicData vim/2.0
 name string
 url string
 freeSpace long
 maxFileSize long
 maxVirtualDiskCapacity long? vim/5.5
 maxMemoryFileSize long vim/6.0
 timestamp dateTime? vim/4.0
 containerId string? vim/5.5
 aliasOf string? vim/6.7.1
 supportedVDiskFormats string[]? vim/9.0.0.0
 logicalSectorSize int? vim/9.0.0.0
 physicalSectorSize int? vim/9.0.0.0
fault DatastoreNotWritableOnHost InvalidDatastore vim/2.0
 host @HostSystem
data DatastoreSummary DynamicData vim/2.0
 datastore @Datastore?
 name string
 url string
 capacity long
 freeSpace long
 uncommitted long? vim/4.0
 accessible boolean
 multipleHostAccess boolean?
 type string
 maintenanceMode string? vim/5.0
fault DeltaDiskFormatNotSupported VmConfigFault vim/5.0
 datastore @Datastore[]?
 deltaDiskFormat string
data Description DynamicData vim/2.0
 label string
 summary string
fault DestinationSwitchFull CannotAccessNetwork vim/2.0
fault DestinationVsanDisabled CannotMoveVsanEnabledHost vim/5.5
 destinationCluster string
fault DeviceBackingNotSupported DeviceNotSupported vim/2.5
 backing string
fault DeviceControllerNotSupported DeviceNotSupported vim/2.5
 controller string
data DeviceGroupId DynamicData vim/6.5
 id string
fault DeviceHotPlugNotSupported InvalidDeviceSpec vim/2.5u2server
fault DeviceNotFound InvalidDeviceSpec vim/2.0
fault DeviceNotSupported VirtualHardwareCompatibilityIssue vim/2.0
 device string
 reason string? vim/2.5
fault DeviceUnsupportedForVmPlatform InvalidDeviceSpec vim/2.5u2server
fault DeviceUnsupportedForVmVersion InvalidDeviceSpec vim/2.5u2server
 currentVersion string
 expectedVersion string
fault DigestNotSupported DeviceNotSupported vim/6.0
fault DirectoryNotEmpty FileFault vim/5.0
fault DisableAdminNotSupported HostConfigFault vim/2.5
fault DisallowedChangeByService RuntimeFault vim/5.0
 serviceName string
 disallowedChange string?
fault DisallowedDiskModeChange InvalidDeviceSpec vim/2.0
fault DisallowedMigrationDeviceAttached MigrationFault vim/2.0
 fault LocalizedMethodFault
fault DisallowedOperationOnFailoverHost RuntimeFault vim/4.0
 host @HostSystem
 hostname string
fault DisconnectedHostsBlockingEVC EVCConfigFault vim/2.5u2
fault DiskHasPartitions VsanDiskFault vim/5.5
fault DiskIsLastRemainingNonSSD VsanDiskFault vim/5.5
fault DiskIsNonLocal VsanDiskFault vim/5.5
fault DiskIsUSB VsanDiskFault vim/5.5
fault DiskMoveTypeNotSupported MigrationFault vim/4.0
fault DiskNotSupported VirtualHardwareCompatibilityIssue vim/2.0
 disk int
fault DiskTooSmall VsanDiskFault vim/5.5
object DistributedVirtualPortgroup Network vim/4.0
 key string
 config DVPortgroupConfigInfo
 portKeys string[]?
data DistributedVirtualSwitchPortConnection DynamicData vim/4.0
 switchUuid string
 portgroupKey string?
 portKey string?
 connectionCookie int?
fault DomainNotFound ActiveDirectoryFault vim/4.1
 domainName string
enum DrsBehavior vim/2.0 manual partiallyAutomated fullyAutomated
fault DrsDisabledOnVm VimFault vim/4.0
fault DrsVmotionIncompatibleFault VirtualHardwareCompatibilityIssue vim/4.0
 host @HostSystem
fault DuplicateDisks VsanDiskFault vim/5.5
fault DuplicateName VimFault vim/2.0
 name string
 object @ManagedObject
fault DuplicateVsanNetworkInterface VsanFault vim/5.5
 device string
fault DvsApplyOperationFault DvsFault vim/5.1
 objectFault DvsApplyOperationFaultFaultOnObject[]
fault DvsFault VimFault vim/4.0
fault DvsNotAuthorized DvsFault vim/4.0
 sessionExtensionKey string?
 dvsExtensionKey string?
fault DvsOperationBulkFault DvsFault vim/4.0
 hostFault DvsOperationBulkFaultFaultOnHost[]
fault DvsScopeViolated DvsFault vim/4.0
 scope @ManagedEntity[]
 entity @ManagedEntity
data DynamicData DataObject vmodl/version0
 dynamicType string?
 dynamicProperty DynamicProperty[]?
data DynamicProperty DataObject vmodl/version0
 name string
 val anyType
fault EVCAdmissionFailed NotSupportedHostInCluster vim/4.0
 faults LocalizedMethodFault[]? vim/5.1
fault EVCAdmissionFailedCPUFeaturesForMode EVCAdmissionFailed vim/4.0
 currentEVCModeKey string
fault EVCAdmissionFailedCPUModel EVCAdmissionFailed vim/4.0
fault EVCAdmissionFailedCPUModelForMode EVCAdmissionFailed vim/4.0
 currentEVCModeKey string
fault EVCAdmissionFailedCPUVendor EVCAdmissionFailed vim/4.0
 clusterCPUVendor string
 hostCPUVendor string
fault EVCAdmissionFailedCPUVendorUnknown EVCAdmissionFailed vim/4.0
fault EVCAdmissionFailedHostDisconnected EVCAdmissionFailed vim/4.0
fault EVCAdmissionFailedHostSoftware EVCAdmissionFailed vim/4.0
fault EVCAdmissionFailedHostSoftwareForMode EVCAdmissionFailed vim/4.0
fault EVCAdmissionFailedVmActive EVCAdmissionFailed vim/4.0
fault EVCConfigFault VimFault vim/2.5u2
 faults LocalizedMethodFault[]? vim/5.1
data EVCMode ElementDescription vim/4.0
 guaranteedCPUFeatures HostCpuIdInfo[]? vim/4.1
 featureCapability HostFeatureCapability[]? vim/5.1
 featureMask HostFeatureMask[]? vim/5.1
 featureRequirement VirtualMachineFeatureRequirement[]? vim/5.1
 vendor string
 track string[] vim/4.1
 vendorTier int
fault EVCModeIllegalByVendor EVCConfigFault vim/2.5u2
 clusterCPUVendor string
 modeCPUVendor string
fault EVCModeUnsupportedByHosts EVCConfigFault vim/4.0
 evcMode string?
 host @HostSystem[]?
 hostName string[]?
fault EVCUnsupportedByHostHardware EVCConfigFault vim/4.1
 host @HostSystem[]
 hostName string[]
fault EVCUnsupportedByHostSoftware EVCConfigFault vim/4.1
 host @HostSystem[]
 hostName string[]
fault EightHostLimitViolated VmConfigFault vim/4.0
data ElementDescription Description vim/2.0
 key string
fault EncryptionKeyRequired InvalidState vim/6.7
 requiredKey CryptoKeyId[]?
data EntityPrivilege DynamicData vim/5.5
 entity @ManagedEntity
 privAvailability PrivilegeAvailability[]
fault ExpiredAddonLicense ExpiredFeatureLicense vim/2.5
fault ExpiredEditionLicense ExpiredFeatureLicense vim/2.5
fault ExpiredFeatureLicense NotEnoughLicenses vim/2.5
 feature string
 count int
 expirationDate dateTime
data ExtendedDescription Description vim/4.0
 messageCatalogKeyPrefix string
 messageArg KeyAnyValue[]?
data ExtendedElementDescription ElementDescription vim/4.0
 messageCatalogKeyPrefix string
 messageArg KeyAnyValue[]?
fault ExtendedFault VimFault vim/2.5
 faultTypeId string
 data KeyValue[]?
object ExtensibleManagedObject ManagedObject vim/2.0
 value CustomFieldValue[]? vim/2.5
 availableField CustomFieldDef[]? vim/2.5
fault FailToEnableSPBM NotEnoughLicenses vim/5.0
 cs @ComputeResource
 csName string
 hostLicenseStates ComputeResourceHostSPBMLicenseInfo[]
fault FailToLockFaultToleranceVMs RuntimeFault vim/4.1
 vmName string
 vm @VirtualMachine
 alreadyLockedVm @VirtualMachine
data FaultDomainId DynamicData vim/6.5
 id string
data FaultDomainInfo FaultDomainId sms/6.5
 name string?
 description string?
 storageArrayId string?
 children FaultDomainId[]?
 provider @SmsProvider?
fault FaultToleranceAntiAffinityViolated MigrationFault vim/4.0
 hostName string
 host @HostSystem
fault FaultToleranceCannotEditMem VmConfigFault vim/4.1
 vmName string
 vm @VirtualMachine
data FaultToleranceConfigInfo DynamicData vim/4.0
 role int
 instanceUuids string[]
 configPaths string[]
 orphaned boolean? vim/6.0
fault FaultToleranceCpuIncompatible CpuIncompatible vim/4.0
 model boolean
 family boolean
 stepping boolean
fault FaultToleranceNeedsThickDisk MigrationFault vim/4.1
 vmName string
fault FaultToleranceNotLicensed VmFaultToleranceIssue vim/4.0
 hostName string?
fault FaultToleranceNotSameBuild MigrationFault vim/4.0
 build string
data FaultTolerancePrimaryConfigInfo FaultToleranceConfigInfo vim/4.0
 secondaries @VirtualMachine[]
fault FaultTolerancePrimaryPowerOnNotAttempted VmFaultToleranceIssue vim/4.0
 secondaryVm @VirtualMachine
 primaryVm @VirtualMachine
data FaultToleranceSecondaryConfigInfo FaultToleranceConfigInfo vim/4.0
 primaryVM @VirtualMachine
fault FaultToleranceVmNotDasProtected VimFault vim/5.0
 vm @VirtualMachine
 vmName string
fault FcoeFault VimFault vim/5.0
fault FcoeFaultPnicHasNoPortSet FcoeFault vim/5.0
 nicDevice string
data FeatureEVCMode ElementDescription vim/7.0.1.0
 mask HostFeatureMask[]?
 capability HostFeatureCapability[]?
 requirement VirtualMachineFeatureRequirement[]?
fault FeatureRequirementsNotMet VirtualHardwareCompatibilityIssue vim/5.1
 featureRequirement VirtualMachineFeatureRequirement[]?
 vm @VirtualMachine?
 host @HostSystem?
fault FileAlreadyExists FileFault vim/2.0
fault FileBackedPortNotSupported DeviceNotSupported vim/2.5
fault FileFault VimFault vim/2.0
 file string
fault FileLocked FileFault vim/2.0
fault FileNameTooLong FileFault vim/5.0
fault FileNotFound FileFault vim/2.0
fault FileNotWritable FileFault vim/2.0
fault FileTooLarge FileFault vim/2.5
 datastore string
 fileSize long
 maxFileSize long?
fault FilesystemQuiesceFault SnapshotFault vim/2.0
fault FilterInUse ResourceInUse vim/6.0
 disk VirtualDiskId[]?
data FloatOption OptionType vim/2.0
 min float
 max float
 defaultValue float
object Folder ManagedEntity vim/2.0
 childType string[]?
 childEntity @ManagedEntity[]?
 namespace string? vim/7.0.0.0
 externallyManagedFolderInfo FolderExternallyManagedFolderInfo? vim/9.0.0.0
fault FtIssuesOnHost VmFaultToleranceIssue vim/4.0
 host @HostSystem
 hostName string
 errors LocalizedMethodFault[]?
fault FtVmHostRuleViolation VmConfigFault vim/8.0.3.0
 vmName string
 hostName string
 hostGroup string
fault FullStorageVMotionNotSupported MigrationFeatureNotSupported vim/2.5
fault GatewayConnectFault HostConnectFault vim/6.0
 gatewayType string
 gatewayId string
 gatewayInfo string
 details LocalizableMessage?
fault GatewayHostNotReachable GatewayToHostConnectFault vim/6.0
fault GatewayNotFound GatewayConnectFault vim/6.0
fault GatewayNotReachable GatewayConnectFault vim/6.0
fault GatewayOperationRefused GatewayConnectFault vim/6.0
fault GatewayToHostAuthFault GatewayToHostConnectFault vim/6.0
 invalidProperties string[]
 missingProperties string[]
fault GatewayToHostConnectFault GatewayConnectFault vim/6.0
 hostname string
 port int?
fault GatewayToHostTrustVerifyFault GatewayToHostConnectFault vim/6.0
 verificationToken string
 propertiesToVerify KeyValue[]
fault GenericDrsFault VimFault vim/2.5
 hostFaults LocalizedMethodFault[]?
fault GenericVmConfigFault VmConfigFault vim/2.0
 reason string
fault GuestAuthenticationChallenge GuestOperationsFault vim/5.0
 serverChallenge GuestAuthentication
 sessionID long
fault GuestComponentsOutOfDate GuestOperationsFault vim/5.0
data GuestDiskInfo DynamicData vim/2.0
 diskPath string?
 capacity long?
 freeSpace long?
 filesystemType string? vim/7.0.0.0
 mappings GuestInfoVirtualDiskMapping[]? vim/7.0.0.0
data GuestInfo DynamicData vim/2.0
 toolsStatus VirtualMachineToolsStatus?
 toolsVersionStatus string? vim/4.0
 toolsVersionStatus2 string? vim/5.0
 toolsRunningStatus string? vim/4.0
 toolsVersion string?
 toolsInstallType string? vim/6.5
 guestId string?
 guestFamily string?
 guestFullName string?
 guestRebootStatus VirtualMachineGuestRebootStatus? vim/9.1.0.0
 guestDetailedData string? vim/8.0.2.0
 hostName string?
 ipAddress string?
 net GuestNicInfo[]?
 ipStack GuestStackInfo[]? vim/4.1
 disk GuestDiskInfo[]?
 screen GuestScreenInfo?
 guestState string
 appHeartbeatStatus string? vim/4.1
 guestKernelCrashed boolean? vim/6.0
 appState string? vim/5.5
 guestOperationsReady boolean? vim/5.0
 interactiveGuestOperationsReady boolean? vim/5.0
 guestStateChangeSupported boolean? vim/6.0
 generationInfo GuestInfoNamespaceGenerationInfo[]? vim/5.1
 hwVersion string? vim/6.9.1
 customizationInfo GuestInfoCustomizationInfo? vim/7.0.2.0
fault GuestMultipleMappings GuestOperationsFault vim/6.0
data GuestNicInfo DynamicData vim/2.0
 network string?
 ipAddress string[]?
 macAddress string?
 connected boolean
 deviceConfigId int
 dnsConfig NetDnsConfigInfo? vim/4.1
 ipConfig NetIpConfigInfo? vim/4.1
 netBIOSConfig NetBIOSConfigInfo? vim/4.1
fault GuestOperationsFault VimFault vim/5.0
fault GuestOperationsUnavailable GuestOperationsFault vim/5.0
fault GuestPermissionDenied GuestOperationsFault vim/5.0
fault GuestProcessNotFound GuestOperationsFault vim/5.0
 pid long
fault GuestRegistryFault GuestOperationsFault vim/6.0
 windowsSystemErrorCode long
fault GuestRegistryKeyAlreadyExists GuestRegistryKeyFault vim/6.0
fault GuestRegistryKeyFault GuestRegistryFault vim/6.0
 keyName string
fault GuestRegistryKeyHasSubkeys GuestRegistryKeyFault vim/6.0
fault GuestRegistryKeyInvalid GuestRegistryKeyFault vim/6.0
fault GuestRegistryKeyParentVolatile GuestRegistryKeyFault vim/6.0
fault GuestRegistryValueFault GuestRegistryFault vim/6.0
 keyName string
 valueName string
fault GuestRegistryValueNotFound GuestRegistryValueFault vim/6.0
data GuestStackInfo DynamicData vim/4.1
 dnsConfig NetDnsConfigInfo?
 ipRouteConfig NetIpRouteConfigInfo?
 ipStackConfig KeyValue[]?
 dhcpConfig NetDhcpConfigInfo?
fault HAErrorsAtDest MigrationFault vim/2.5
fault HeterogenousHostsBlockingEVC EVCConfigFault vim/2.5u2
fault HostAccessRestrictedToManagementServer NotSupported vim/5.0
 managementServer string
fault HostCommunication RuntimeFault vmodl/version0
fault HostConfigFailed HostConfigFault vim/4.0
 failure LocalizedMethodFault[]
fault HostConfigFault VimFault vim/2.0
data HostConfigSummary DynamicData vim/2.0
 name string
 port int
 sslThumbprint string? vim/4.0
 sslCertificate string? vim/9.0.0.0
 product AboutInfo?
 vmotionEnabled boolean
 faultToleranceEnabled boolean vim/4.0
 featureVersion HostFeatureVersionInfo[]? vim/4.1
 agentVmDatastore @Datastore? vim/5.0
 agentVmNetwork @Network? vim/5.0
fault HostConnectFault VimFault vim/2.0
data HostCpuIdInfo DynamicData vim/2.0
 level int
 vendor string?
 eax string?
 ebx string?
 ecx string?
 edx string?
data HostFeatureCapability DynamicData vim/5.1
 key string
 featureName string
 value string
data HostFeatureMask DynamicData vim/5.1
 key string
 featureName string
 value string
data HostFileSystemVolume DynamicData vim/2.0
 type string
 name string
 capacity long
data HostHardwareSummary DynamicData vim/2.0
 vendor string
 model string
 family string? vim/9.0.0.0
 uuid string
 otherIdentifyingInfo HostSystemIdentificationInfo[]? vim/2.5
 memorySize long
 cpuModel string
 cpuMhz int
 numCpuPkgs short
 numCpuCores short
 numCpuThreads short
 numNics int
 numHBAs int
fault HostHasComponentFailure VimFault vim/6.0
 hostName string
 componentType string
 componentName string
fault HostInDomain HostConfigFault vim/4.1
fault HostIncompatibleForFaultTolerance VmFaultToleranceIssue vim/4.0
 hostName string?
 reason string?
fault HostIncompatibleForRecordReplay VimFault vim/4.0
 hostName string?
 reason string?
data HostInternetScsiHbaParamValue OptionValue vim/4.0
 isInherited boolean?
fault HostInventoryFull NotEnoughLicenses vim/2.5
 capacity int
data HostListSummary DynamicData vim/2.0
 host @HostSystem?
 hardware HostHardwareSummary?
 runtime HostRuntimeInfo?
 config HostConfigSummary
 quickStats HostListSummaryQuickStats
 overallStatus ManagedEntityStatus
 rebootRequired boolean
 rebootRequiredReason LocalizableMessage[]? vim/9.1.0.0
 maintenanceModeRequired boolean? vim/9.1.0.0
 customValue CustomFieldValue[]?
 managementServerIp string? vim/2.5
 maxEVCModeKey string? vim/4.0
 currentEVCModeKey string? vim/4.0
 currentEVCGraphicsModeKey string? vim/7.0.1.0
 gateway HostListSummaryGatewaySummary? vim/6.0
 tpmAttestation HostTpmAttestationInfo? vim/6.7
 trustAuthorityAttestationInfos HostTrustAuthorityAttestationInfo[]? vim/7.0.1.0
data HostListSummaryQuickStats DynamicData vim/2.0
 overallCpuUsage int?
 overallMemoryUsage int?
 distributedCpuFairness int?
 distributedMemoryFairness int?
 availablePMemCapacity int? vim/6.7
 uptime int? vim/4.1
data HostMountInfo DynamicData vim/2.0
 path string?
 accessMode string
 mounted boolean? vim/5.0
 accessible boolean? vim/2.5
 inaccessibleReason string? vim/5.1
 vmknicName string? vim/8.0.1.0
 vmknicActive boolean? vim/8.0.1.0
 mountFailedReason string? vim/8.0.0.1
 numTcpConnections int? vim/8.0.1.0
data HostNasVolume HostFileSystemVolume vim/2.0
 remoteHost string
 remotePath string
 userName string? vim/2.5
 remoteHostNames string[]? vim/6.0
 securityType string? vim/6.0
 protocolEndpoint boolean? vim/6.0
fault HostNotConnected HostCommunication vmodl/version0
fault HostNotReachable HostCommunication vmodl/version0
fault HostPowerOpFailed VimFault vim/2.5
data HostRuntimeInfo DynamicData vim/2.0
 connectionState HostSystemConnectionState
 powerState HostSystemPowerState vim/2.5
 standbyMode string? vim/4.1
 inMaintenanceMode boolean
 inQuarantineMode boolean? vim/6.5
 bootTime dateTime?
 healthSystemRuntime HealthSystemRuntime? vim/2.5
 dasHostState ClusterDasFdmHostState? vim/5.0
 tpmPcrValues HostTpmDigestInfo[]? vim/4.0
 vsanRuntimeInfo VsanHostRuntimeInfo? vim/5.5
 networkRuntimeInfo HostRuntimeInfoNetworkRuntimeInfo? vim/5.5
 vFlashResourceRuntimeInfo HostVFlashManagerVFlashResourceRunTimeInfo? vim/5.5
 hostMaxVirtualDiskCapacity long? vim/5.5
 cryptoState string? vim/6.5
 cryptoKeyId CryptoKeyId? vim/6.5
 statelessNvdsMigrationReady string? vim/7.0.2.0
 partialMaintenanceMode HostPartialMaintenanceModeRuntimeInfo[]? vim/8.0.3.0
 stateEncryption HostRuntimeInfoStateEncryptionInfo? vim/7.0.3.0
 podVMInfo PodVMInfo? vim/9.1.0.0
fault HostSpecificationOperationFailed VimFault vim/6.5
 host @HostSystem
object HostSystem ManagedEntity vim/2.0
 runtime HostRuntimeInfo
 summary HostListSummary
 hardware HostHardwareInfo?
 capability HostCapability?
 licensableResource HostLicensableResourceInfo vim/5.0
 remediationState HostSystemRemediationState? vim/6.7
 precheckRemediationResult ApplyHostProfileConfigurationSpec? vim/6.7
 remediationResult ApplyHostProfileConfigurationResult? vim/6.7
 complianceCheckState HostSystemComplianceCheckState? vim/6.7
 complianceCheckResult ComplianceResult? vim/6.7
 configManager HostConfigManager
 config HostConfigInfo?
 vm @VirtualMachine[]?
 datastore @Datastore[]?
 network @Network[]?
 datastoreBrowser @HostDatastoreBrowser
 systemResources HostSystemResourceInfo?
 answerFileValidationState AnswerFileStatusResult? vim/6.7
 answerFileValidationResult AnswerFileStatusResult? vim/6.7
enum HostSystemConnectionState vim/2.0 connected notResponding disconnected
enum HostSystemPowerState vim/2.5 poweredOn poweredOff standBy unknown
data HostVmfsVolume HostFileSystemVolume vim/2.0
 blockSizeMb int
 blockSize int? vim/6.5
 unmapGranularity int? vim/6.5
 unmapPriority string? vim/6.5
 unmapBandwidthSpec VmfsUnmapBandwidthSpec? vim/6.7
 maxBlocks int
 majorVersion int
 version string
 uuid string
 extent HostScsiDiskPartition[]
 vmfsUpgradable boolean
 forceMountedInfo HostForceMountedInfo? vim/4.0
 ssd boolean? vim/5.0
 local boolean? vim/5.5
 scsiDiskType string? vim/6.5
fault HotSnapshotMoveNotSupported SnapshotCopyNotSupported vim/2.5
fault HttpFault VimFault vim/4.0
 statusCode int
 statusMessage string
data ID DynamicData vim/6.5
 id string
fault IDEDiskNotSupported DiskNotSupported vim/2.0
fault IORMNotSupportedHostOnDatastore VimFault vim/4.1
 datastore @Datastore
 datastoreName string
 host @HostSystem[]?
fault ImportHostAddFailure DvsFault vim/5.1
 hostIp string[]
fault ImportOperationBulkFault DvsFault vim/5.1
 importFaults ImportOperationBulkFaultFaultOnImport[]
fault InUseFeatureManipulationDisallowed NotEnoughLicenses vim/4.0
fault InaccessibleDatastore InvalidDatastore vim/2.0
 detail string? vim/5.0
fault InaccessibleFTMetadataDatastore InaccessibleDatastore vim/6.0
fault InaccessibleVFlashSource VimFault vim/5.5
 hostName string
fault IncompatibleDefaultDevice MigrationFault vim/2.5
 device string
fault IncompatibleHostForFtSecondary VmFaultToleranceIssue vim/4.0
 host @HostSystem
 error LocalizedMethodFault[]?
fault IncompatibleHostForVmReplication ReplicationFault vim/6.0
 vmName string
 hostName string
 reason string
fault IncompatibleSetting InvalidArgument vim/2.0
 conflictingProperty string
fault IncorrectFileType FileFault vim/2.0
fault IncorrectHostInformation NotEnoughLicenses vim/2.5
fault IndependentDiskVMotionNotSupported MigrationFeatureNotSupported vim/2.5
fault InsufficientAgentVmsDeployed InsufficientResourcesFault vim/5.0
 hostName string
 requiredNumAgentVms int
 currentNumAgentVms int
fault InsufficientCpuResourcesFault InsufficientResourcesFault vim/2.0
 unreserved long
 requested long
fault InsufficientDisks VsanDiskFault vim/5.5
fault InsufficientFailoverResourcesFault InsufficientResourcesFault vim/2.0
fault InsufficientGraphicsResourcesFault InsufficientResourcesFault vim/6.0
fault InsufficientHostCapacityFault InsufficientResourcesFault vim/2.0
 host @HostSystem? vim/2.5
fault InsufficientHostCpuCapacityFault InsufficientHostCapacityFault vim/4.0
 unreserved long
 requested long
fault InsufficientHostMemoryCapacityFault InsufficientHostCapacityFault vim/4.0
 unreserved long
 requested long
fault InsufficientMemoryResourcesFault InsufficientResourcesFault vim/2.0
 unreserved long
 requested long
fault InsufficientNetworkCapacity InsufficientResourcesFault vim/6.0
fault InsufficientNetworkResourcePoolCapacity InsufficientResourcesFault vim/6.0
 dvsName string
 dvsUuid string
 resourcePoolKey string
 available long
 requested long
 device string[]
fault InsufficientPerCpuCapacity InsufficientHostCapacityFault vim/2.5
fault InsufficientResourcesFault VimFault vim/2.0
fault InsufficientStandbyCpuResource InsufficientStandbyResource vim/4.0
 available long
 requested long
fault InsufficientStandbyMemoryResource InsufficientStandbyResource vim/4.0
 available long
 requested long
fault InsufficientStandbyResource InsufficientResourcesFault vim/4.0
fault InsufficientStorageIops VimFault vim/6.0
 unreservedIops long
 requestedIops long
 datastoreName string
fault InsufficientStorageSpace InsufficientResourcesFault vim/5.0
fault InsufficientVFlashResourcesFault InsufficientResourcesFault vim/5.5
 freeSpaceInMB long? vim/6.0
 freeSpace long
 requestedSpaceInMB long? vim/6.0
 requestedSpace long
data IntOption OptionType vim/2.0
 min int
 max int
 defaultValue int
fault InvalidAffinitySettingFault VimFault vim/2.5
fault InvalidArgument RuntimeFault vmodl/version0
 invalidProperty string?
fault InvalidBmcRole VimFault vim/4.0
fault InvalidBundle PlatformConfigFault vim/2.5
fault InvalidCAMCertificate InvalidCAMServer vim/5.0
fault InvalidCAMServer ActiveDirectoryFault vim/5.0
 camServer string
fault InvalidClientCertificate InvalidLogin vim/2.5u2
fault InvalidCollectorVersion MethodFault query/version1
fault InvalidController InvalidDeviceSpec vim/2.0
 controllerKey int
fault InvalidDasConfigArgument InvalidArgument vim/5.1
 entry string?
 clusterName string?
fault InvalidDasRestartPriorityForFtVm InvalidArgument vim/4.1
 vm @VirtualMachine
 vmName string
fault InvalidDatastore VimFault vim/2.0
 datastore @Datastore?
 name string?
fault InvalidDatastorePath InvalidDatastore vim/2.0
 datastorePath string
fault InvalidDatastoreState InvalidState vim/5.0
 datastoreName string?
fault InvalidDeviceBacking InvalidDeviceSpec vim/2.0
fault InvalidDeviceOperation InvalidDeviceSpec vim/2.0
 badOp VirtualDeviceConfigSpecOperation?
 badFileOp VirtualDeviceConfigSpecFileOperation?
fault InvalidDeviceSpec InvalidVmConfig vim/2.0
 deviceIndex int
fault InvalidDiskFormat InvalidFormat vim/2.0
fault InvalidDrsBehaviorForFtVm InvalidArgument vim/4.0
 vm @VirtualMachine
 vmName string
fault InvalidEditionLicense NotEnoughLicenses vim/2.5
 feature string
fault InvalidEvent VimFault vim/2.5
fault InvalidFolder VimFault vim/2.0
 target @ManagedEntity
fault InvalidFormat VmConfigFault vim/2.0
fault InvalidGuestLogin GuestOperationsFault vim/5.0
fault InvalidHostConnectionState InvalidHostState vim/5.1
fault InvalidHostName HostConfigFault vim/4.1
fault InvalidHostState InvalidState vim/2.5
 host @HostSystem?
fault InvalidIndexArgument InvalidArgument vim/4.0
 key string
fault InvalidIpfixConfig DvsFault vim/5.1
 property string?
fault InvalidIpmiLoginInfo VimFault vim/4.0
fault InvalidIpmiMacAddress VimFault vim/4.0
 userProvidedMacAddress string
 observedMacAddress string
fault InvalidLicense VimFault vim/2.0
 licenseContent string
fault InvalidLocale VimFault vim/2.0
fault InvalidLogin VimFault vim/2.0
fault InvalidName VimFault vim/2.0
 name string
 entity @ManagedEntity?
fault InvalidNasCredentials NasConfigFault vim/2.5u2server
 userName string
fault InvalidNetworkInType VAppPropertyFault vim/4.0
fault InvalidNetworkResource NasConfigFault vim/2.5u2server
 remoteHost string
 remotePath string
fault InvalidOperationOnSecondaryVm VmFaultToleranceIssue vim/4.0
 instanceUuid string
fault InvalidPowerState InvalidState vim/2.0
 requestedState VirtualMachinePowerState?
 existingState VirtualMachinePowerState
fault InvalidPrivilege VimFault vim/2.0
 privilege string
fault InvalidProfileReferenceHost RuntimeFault vim/5.0
 reason string?
 host @HostSystem?
 profile @Profile?
 profileName string? vim/6.5
fault InvalidProperty MethodFault query/version1
 name string
fault InvalidPropertyType VAppPropertyFault vim/4.0
fault InvalidPropertyValue VAppPropertyFault vim/4.0
fault InvalidRequest RuntimeFault vmodl/version0
fault InvalidResourcePoolStructureFault InsufficientResourcesFault vim/2.0
fault InvalidScheduledTask RuntimeFault vim/8.0.2.0
fault InvalidSnapshotFormat InvalidFormat vim/2.0
fault InvalidState VimFault vim/2.0
fault InvalidToken RuntimeFault vmodl/version0
fault InvalidType InvalidRequest vmodl/version0
 argument string?
fault InvalidVmConfig VmConfigFault vim/2.0
 property string?
fault InvalidVmState InvalidState vim/6.5
 vm @VirtualMachine
fault InventoryHasStandardAloneHosts NotEnoughLicenses vim/4.0
 hosts string[]
fault IpHostnameGeneratorError CustomizationFault vim/2.0
fault IscsiFault VimFault vim/5.0
fault IscsiFaultInvalidVnic IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultPnicInUse IscsiFault vim/5.0
 pnicDevice string
fault IscsiFaultVnicAlreadyBound IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicHasActivePaths IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicHasMultipleUplinks IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicHasNoUplinks IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicHasWrongUplink IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicInUse IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicIsLastPath IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicNotBound IscsiFault vim/5.0
 vnicDevice string
fault IscsiFaultVnicNotFound IscsiFault vim/5.0
 vnicDevice string
data KeyAnyValue DynamicData vmodl/version1
 key string
 value anyType
fault KeyNotFound VimFault vim/6.7.2
 key string
data KeyProviderId DynamicData vim/6.5
 id string
data KeyValue DynamicData vim/2.5
 key string
 value string
fault LargeRDMConversionNotSupported MigrationFault vim/5.0
 device string
fault LargeRDMNotSupportedOnDatastore VmConfigFault vim/5.0
 device string
 datastore @Datastore
 datastoreName string
data LatencySensitivity DynamicData vim/5.1
 level LatencySensitivitySensitivityLevel
 sensitivity int?
enum LatencySensitivitySensitivityLevel vim/5.1 low normal medium high custom
fault LegacyNetworkInterfaceInUse CannotAccessNetwork vim/2.0
fault LicenseAssignmentFailed RuntimeFault vim/4.0
 reason string?
fault LicenseDowngradeDisallowed NotEnoughLicenses vim/4.0
 edition string
 entityId string
 features KeyAnyValue[]
fault LicenseEntityNotFound VimFault vim/4.0
 entityId string
fault LicenseExpired NotEnoughLicenses vim/4.0
 licenseKey string
fault LicenseKeyEntityMismatch NotEnoughLicenses vim/4.0
fault LicenseRestricted NotEnoughLicenses vim/2.5
fault LicenseServerUnavailable VimFault vim/2.0
 licenseServer string
fault LicenseSourceUnavailable NotEnoughLicenses vim/2.5
 licenseSource LicenseSource
fault LimitExceeded VimFault vim/4.0
 property string?
 limit int?
fault LinuxVolumeNotClean CustomizationFault vim/2.0
object ListView ManagedObjectView vim/2.5
 ModifyListView() @ManagedObject[]? vim/2.5 - -
  add @ManagedObject[]?
  remove @ManagedObject[]?
 ResetListView() @ManagedObject[]? vim/2.5 - -
  obj @ManagedObject[]?
data LocalDatastoreInfo DatastoreInfo vim/2.0
 path string?
data LocalizableMessage DynamicData vmodl/version1
 key string
 arg KeyAnyValue[]?
 message string?
data LocalizedMethodFault DynamicData vmodl/version1
 fault MethodFault
 localizedMessage string?
fault LogBundlingFailed VimFault vim/2.0
data LongOption OptionType vim/2.0
 min long
 max long
 defaultValue long
fault MaintenanceModeFileMove MigrationFault vim/2.5
data ManagedByInfo DynamicData vim/5.0
 extensionKey string
 type string
object ManagedEntity ExtensibleManagedObject vim/2.0
 parent @ManagedEntity?
 customValue CustomFieldValue[]?
 overallStatus ManagedEntityStatus
 configStatus ManagedEntityStatus
 configIssue Event[]?
 effectiveRole int[]?
 permission Permission[]?
 name string
 disabledMethod string[]?
 recentTask @Task[]?
 declaredAlarmState AlarmState[]?
 triggeredAlarmState AlarmState[]?
 alarmActionsEnabled boolean? vim/4.0
 tag Tag[]? vim/4.0
 Rename_Task() @Task vim/2.0 - DuplicateName,InvalidName
  newName string
 Destroy_Task() @Task vim/2.0 - VimFault
enum ManagedEntityStatus vim/2.0 gray green yellow red
fault ManagedObjectNotFound RuntimeFault vmodl/version0
 obj @ManagedObject
object ManagedObjectView View vim/2.5
 view @ManagedObject[]?
fault MemoryFileFormatNotSupportedByDatastore UnsupportedDatastore vim/6.0
 datastoreName string
 type string
fault MemoryHotPlugNotSupported VmConfigFault vim/4.0
fault MemorySizeNotRecommended VirtualHardwareCompatibilityIssue vim/2.5
 memorySizeMB int
 minMemorySizeMB int
 maxMemorySizeMB int
fault MemorySizeNotSupported VirtualHardwareCompatibilityIssue vim/2.5
 memorySizeMB int
 minMemorySizeMB int
 maxMemorySizeMB int
fault MemorySizeNotSupportedByDatastore VirtualHardwareCompatibilityIssue vim/5.0
 datastore @Datastore
 memorySizeMB int
 maxMemorySizeMB int
fault MemorySnapshotOnIndependentDisk SnapshotFault vim/2.0
fault MethodAlreadyDisabledFault RuntimeFault vim/4.1
 sourceId string
data MethodDescription Description vim/2.0
 key string
fault MethodDisabled RuntimeFault vim/2.5
 source string? vim/4.1
fault MethodFault DynamicData vmodl/version0
 msg string?
 faultCause LocalizedMethodFault? vmodl/version1
 faultMessage LocalizableMessage[]? vmodl/version1
fault MethodNotFound InvalidRequest vmodl/version0
 receiver @ManagedObject
 method string
fault MigrationDisabled MigrationFault vim/4.0
fault MigrationFault VimFault vim/2.0
fault MigrationFeatureNotSupported MigrationFault vim/2.5
 atSourceHost boolean
 failedHostName string
 failedHost @HostSystem
fault MigrationNotReady MigrationFault vim/4.0
 reason string
fault MismatchedBundle VimFault vim/2.5
 bundleUuid string
 hostUuid string
 bundleBuildNumber int
 hostBuildNumber int
fault MismatchedNetworkPolicies MigrationFault vim/2.0
 device string
 backing string
 connected boolean
fault MismatchedVMotionNetworkNames MigrationFault vim/2.0
 sourceNetwork string
 destNetwork string
fault MissingBmcSupport VimFault vim/4.0
fault MissingController InvalidDeviceSpec vim/2.0
fault MissingIpPool VAppPropertyFault vim/5.0
fault MissingLinuxCustResources CustomizationFault vim/2.0
fault MissingNetworkIpConfig VAppPropertyFault vim/4.0
data MissingObject DynamicData query/version1
 obj @ManagedObject
 fault LocalizedMethodFault
fault MissingPowerOffConfiguration VAppConfigFault vim/4.0
fault MissingPowerOnConfiguration VAppConfigFault vim/4.0
data MissingProperty DynamicData query/version1
 path string
 fault LocalizedMethodFault
fault MissingWindowsCustResources CustomizationFault vim/2.0
fault MksConnectionLimitReached InvalidState vim/5.0
 connectionLimit int
fault MountError CustomizationFault vim/2.0
 vm @VirtualMachine
 diskIndex int
fault MultiWriterNotSupported DeviceNotSupported vim/6.0
fault MultipleCertificatesVerifyFault HostConnectFault vim/4.0
 thumbprintData MultipleCertificatesVerifyFaultThumbprintData[]
fault MultipleSnapshotsNotSupported SnapshotFault vim/2.0
fault NamespaceFull VimFault vim/5.1
 name string
 currentMaxSize long
 requiredSize long?
fault NamespaceLimitReached VimFault vim/5.1
 limit int?
fault NamespaceWriteProtected VimFault vim/5.1
 name string
fault NasConfigFault HostConfigFault vim/2.5u2server
 name string
fault NasConnectionLimitReached NasConfigFault vim/2.5u2server
 remoteHost string
 remotePath string
data NasDatastoreInfo DatastoreInfo vim/2.0
 nas HostNasVolume?
fault NasSessionCredentialConflict NasConfigFault vim/2.5u2server
 remoteHost string
 remotePath string
 userName string
fault NasVolumeNotMounted NasConfigFault vim/2.5u2server
 remoteHost string
 remotePath string
data NetDhcpConfigInfo DynamicData vim/4.1
 ipv6 NetDhcpConfigInfoDhcpOptions?
 ipv4 NetDhcpConfigInfoDhcpOptions?
data NetDnsConfigInfo DynamicData vim/4.1
 dhcp boolean
 hostName string
 domainName string
 ipAddress string[]?
 searchDomain string[]?
data NetIpConfigInfo DynamicData vim/4.1
 ipAddress NetIpConfigInfoIpAddress[]?
 dhcp NetDhcpConfigInfo?
 autoConfigurationEnabled boolean?
data NetIpConfigInfoIpAddress DynamicData vim/4.1
 ipAddress string
 prefixLength int
 origin string?
 state string?
 lifetime dateTime?
data NetIpRouteConfigInfo DynamicData vim/4.1
 ipRoute NetIpRouteConfigInfoIpRoute[]?
data NetIpRouteConfigInfoGateway DynamicData vim/4.1
 ipAddress string?
 device string?
data NetIpRouteConfigInfoIpRoute DynamicData vim/4.1
 network string
 prefixLength int
 gateway NetIpRouteConfigInfoGateway
object Network ManagedEntity vim/2.0
 summary NetworkSummary
 host @HostSystem[]?
 vm @VirtualMachine[]?
fault NetworkCopyFault FileFault vim/2.0
fault NetworkDisruptedAndConfigRolledBack VimFault vim/5.1
 host string
fault NetworkInaccessible NasConfigFault vim/2.5u2server
data NetworkSummary DynamicData vim/2.0
 network @Network?
 name string
 accessible boolean
 ipPoolName string vim/4.0
 ipPoolId int? vim/5.1
fault NetworksMayNotBeTheSame MigrationFault vim/2.5
 name string?
fault NicSettingMismatch CustomizationFault vim/2.5
 numberOfNicsInSpec int
 numberOfNicsInVM int
fault NoActiveHostInCluster InvalidState vim/2.0
 computeResource @ComputeResource
fault NoAvailableIp VAppPropertyFault vim/4.0
 network @Network
fault NoClientCertificate VimFault vim/2.5
fault NoCompatibleDatastore VimFault vim/5.0
fault NoCompatibleHardAffinityHost VmConfigFault vim/4.1
 vmName string
fault NoCompatibleHost VimFault vim/4.0
 host @HostSystem[]?
 error LocalizedMethodFault[]?
fault NoCompatibleHostWithAccessToDevice NoCompatibleHost vim/4.1
fault NoCompatibleSoftAffinityHost VmConfigFault vim/4.1
 vmName string
fault NoConnectedDatastore VimFault vim/5.0
fault NoDiskFound VimFault vim/2.0
fault NoDiskSpace FileFault vim/2.0
 datastore string
fault NoDisksToCustomize CustomizationFault vim/2.0
fault NoGateway HostConfigFault vim/2.0
fault NoGuestHeartbeat MigrationFault vim/2.0
fault NoHost HostConnectFault vim/2.0
 name string?
fault NoHostSuitableForFtSecondary VmFaultToleranceIssue vim/4.0
 vm @VirtualMachine
 vmName string
fault NoLicenseServerConfigured NotEnoughLicenses vim/4.0
fault NoPeerHostFound HostPowerOpFailed vim/2.5
fault NoPermission SecurityError vim/2.0
 object @ManagedObject?
 privilegeId string?
 missingPrivileges NoPermissionEntityPrivileges[]? vim/7.0.3.2
data NoPermissionEntityPrivileges DynamicData vim/7.0.3.2
 entity @ManagedObject
 privilegeIds string[]?
fault NoPermissionOnAD ActiveDirectoryFault vim/4.1
fault NoPermissionOnHost HostConnectFault vim/2.0
fault NoPermissionOnNasVolume NasConfigFault vim/2.5u2server
 userName string?
fault NoSubjectName VimFault vim/2.5
fault NoVcManagedIpConfigured VAppPropertyFault vim/4.0
fault NoVirtualNic HostConfigFault vim/2.0
fault NoVmInVApp VAppConfigFault vim/4.0
fault NonADUserRequired ActiveDirectoryFault vim/4.1
fault NonHomeRDMVMotionNotSupported MigrationFeatureNotSupported vim/2.5
 device string
fault NonPersistentDisksNotSupported DeviceNotSupported vim/2.5
fault NonVmwareOuiMacNotSupportedHost NotSupportedHost vim/5.1
 hostName string
fault NotADirectory FileFault vim/5.0
fault NotAFile FileFault vim/5.0
fault NotAuthenticated NoPermission vim/2.5
fault NotEnoughCpus VirtualHardwareCompatibilityIssue vim/2.0
 numCpuDest int
 numCpuVm int
fault NotEnoughLicenses RuntimeFault vmodl/version0
fault NotEnoughLogicalCpus NotEnoughCpus vim/2.0
 host @HostSystem? vim/2.5
fault NotFound VimFault vim/2.0
fault NotImplemented RuntimeFault vmodl/version0
fault NotSupported RuntimeFault vmodl/version0
fault NotSupportedDeviceForFT VmFaultToleranceIssue vim/4.1
 host @HostSystem
 hostName string?
 vm @VirtualMachine
 vmName string?
 deviceType string
 deviceLabel string?
fault NotSupportedHost HostConnectFault vim/2.0
 productName string?
 productVersion string?
fault NotSupportedHostForChecksum VimFault vim/6.0
fault NotSupportedHostForVFlash NotSupportedHost vim/5.5
 hostName string
fault NotSupportedHostForVmcp NotSupportedHost vim/6.0
 hostName string
fault NotSupportedHostForVmemFile NotSupportedHost vim/6.0
 hostName string
fault NotSupportedHostForVsan NotSupportedHost vim/5.5
 hostName string
fault NotSupportedHostInCluster NotSupportedHost vim/4.0
fault NotSupportedHostInDvs NotSupportedHost vim/4.1
 switchProductSpec DistributedVirtualSwitchProductSpec
fault NotSupportedHostInHACluster NotSupportedHost vim/5.0
 hostName string
 build string
fault NotUserConfigurableProperty VAppPropertyFault vim/4.0
fault NumVirtualCoresPerSocketNotSupported VirtualHardwareCompatibilityIssue vim/5.0
 maxSupportedCoresPerSocketDest int
 numCoresPerSocketVm int
fault NumVirtualCpusExceedsLimit InsufficientResourcesFault vim/4.1
 maxSupportedVcpus int
fault NumVirtualCpusIncompatible VmConfigFault vim/4.0
 reason string
 numCpu int
fault NumVirtualCpusNotSupported VirtualHardwareCompatibilityIssue vim/2.0
 maxSupportedVcpusDest int
 numCpuVm int
data ObjectContent DynamicData query/version1
 obj @ManagedObject
 propSet DynamicProperty[]?
 missingSet MissingProperty[]?
data ObjectSpec DynamicData query/version1
 obj @ManagedObject
 skip boolean?
 selectSet SelectionSpec[]?
data ObjectUpdate DynamicData query/version1
 kind ObjectUpdateKind
 obj @ManagedObject
 changeSet PropertyChange[]?
 missingSet MissingProperty[]?
enum ObjectUpdateKind query/version1 modify enter leave
fault OperationDisabledByGuest GuestOperationsFault vim/5.0
fault OperationDisallowedOnHost RuntimeFault vim/5.0
fault OperationNotSupportedByGuest GuestOperationsFault vim/5.0
data OptionDef ElementDescription vim/2.0
 optionType OptionType
object OptionManager ManagedObject vim/2.0
 supportedOption OptionDef[]?
 setting OptionValue[]?
data OptionType DynamicData vim/2.0
 valueIsReadonly boolean?
data OptionValue DynamicData vim/2.0
 key string
 value anyType?
fault OutOfBounds VimFault vim/2.0
 argumentName string
fault OvfAttribute OvfInvalidPackage vim/4.0
 elementName string
 attributeName string
fault OvfConnectedDevice OvfHardwareExport vim/4.0
fault OvfConnectedDeviceFloppy OvfConnectedDevice vim/4.0
 filename string
fault OvfConnectedDeviceIso OvfConnectedDevice vim/4.0
 filename string
fault OvfConstraint OvfInvalidPackage vim/4.1
 name string
fault OvfConsumerCallbackFault OvfFault vim/5.0
 extensionKey string
 extensionName string
fault OvfConsumerCommunicationError OvfConsumerCallbackFault vim/5.0
 description string
fault OvfConsumerFault OvfConsumerCallbackFault vim/5.0
 errorKey string
 message string
 params KeyValue[]?
fault OvfConsumerInvalidSection OvfConsumerCallbackFault vim/5.0
 lineNumber int
 description string
fault OvfConsumerPowerOnFault InvalidState vim/5.0
 extensionKey string
 extensionName string
 description string
fault OvfConsumerUndeclaredSection OvfConsumerCallbackFault vim/5.0
 qualifiedSectionType string
fault OvfConsumerUndefinedPrefix OvfConsumerCallbackFault vim/5.0
 prefix string
fault OvfConsumerValidationFault VmConfigFault vim/5.0
 extensionKey string
 extensionName string
 message string
fault OvfCpuCompatibility OvfImport vim/5.0
 registerName string
 level int
 registerValue string
 desiredRegisterValue string
fault OvfCpuCompatibilityCheckNotSupported OvfImport vim/5.0
fault OvfDiskMappingNotFound OvfSystemFault vim/4.0
 diskName string
 vmName string
fault OvfDiskOrderConstraint OvfConstraint vim/4.1
fault OvfDuplicateElement OvfElement vim/4.0
fault OvfDuplicatedElementBoundary OvfElement vim/4.0
 boundary string
fault OvfDuplicatedPropertyIdExport OvfExport vim/5.0
 fqid string
fault OvfDuplicatedPropertyIdImport OvfExport vim/5.0
fault OvfElement OvfInvalidPackage vim/4.0
 name string
fault OvfElementInvalidValue OvfElement vim/4.0
 value string
fault OvfExport OvfFault vim/4.0
fault OvfExportFailed OvfExport vim/4.1
fault OvfFault VimFault vim/4.0
fault OvfHardwareCheck OvfImport vim/4.0
fault OvfHardwareExport OvfExport vim/4.0
 device VirtualDevice?
 vmPath string
fault OvfHostResourceConstraint OvfConstraint vim/4.1
 value string
fault OvfHostValueNotParsed OvfSystemFault vim/4.0
 property string
 value string
fault OvfImport OvfFault vim/4.0
fault OvfImportFailed OvfImport vim/4.1
fault OvfInternalError OvfSystemFault vim/4.1
fault OvfInvalidPackage OvfFault vim/4.0
 lineNumber int
fault OvfInvalidValue OvfAttribute vim/4.0
 value string
fault OvfInvalidValueConfiguration OvfInvalidValue vim/4.0
fault OvfInvalidValueEmpty OvfInvalidValue vim/4.0
fault OvfInvalidValueFormatMalformed OvfInvalidValue vim/4.0
fault OvfInvalidValueReference OvfInvalidValue vim/4.0
fault OvfInvalidVmName OvfUnsupportedPackage vim/4.0
 name string
fault OvfMappedOsId OvfImport vim/4.0
 ovfId int
 ovfDescription string
 targetDescription string
fault OvfMissingAttribute OvfAttribute vim/4.0
fault OvfMissingElement OvfElement vim/4.0
fault OvfMissingElementNormalBoundary OvfMissingElement vim/4.0
 boundary string
fault OvfMissingHardware OvfImport vim/4.0
 name string
 resourceType int
fault OvfNetworkMappingNotSupported OvfImport vim/5.1
fault OvfNoHostNic OvfUnsupportedPackage vim/4.0
fault OvfNoSpaceOnController OvfUnsupportedElement vim/5.0
 parent string
fault OvfNoSupportedHardwareFamily OvfUnsupportedPackage vim/4.0
 version string
fault OvfProperty OvfInvalidPackage vim/4.0
 type string
 value string
fault OvfPropertyExport OvfExport vim/4.0
 type string
 value string
fault OvfPropertyNetwork OvfProperty vim/4.0
fault OvfPropertyNetworkExport OvfExport vim/5.0
 network string
fault OvfPropertyQualifier OvfProperty vim/4.0
 qualifier string
fault OvfPropertyQualifierDuplicate OvfProperty vim/4.0
 qualifier string
fault OvfPropertyQualifierIgnored OvfProperty vim/4.0
 qualifier string
fault OvfPropertyType OvfProperty vim/4.0
fault OvfPropertyValue OvfProperty vim/4.0
fault OvfSystemFault OvfFault vim/4.0
fault OvfToXmlUnsupportedElement OvfSystemFault vim/4.0
 name string?
fault OvfUnableToExportDisk OvfHardwareExport vim/4.0
 diskName string
fault OvfUnexpectedElement OvfElement vim/4.0
fault OvfUnknownDevice OvfSystemFault vim/4.0
 device VirtualDevice?
 vmName string
fault OvfUnknownDeviceBacking OvfHardwareExport vim/4.0
 backing VirtualDeviceBackingInfo
fault OvfUnknownEntity OvfSystemFault vim/4.0
 lineNumber int
fault OvfUnsupportedAttribute OvfUnsupportedPackage vim/4.0
 elementName string
 attributeName string
fault OvfUnsupportedAttributeValue OvfUnsupportedAttribute vim/4.0
 value string
fault OvfUnsupportedDeviceBackingInfo OvfSystemFault vim/4.0
 elementName string?
 instanceId string?
 deviceName string
 backingName string?
fault OvfUnsupportedDeviceBackingOption OvfSystemFault vim/4.0
 elementName string?
 instanceId string?
 deviceName string
 backingName string?
fault OvfUnsupportedDeviceExport OvfHardwareExport vim/4.0
fault OvfUnsupportedDiskProvisioning OvfImport vim/4.1
 diskProvisioning string
 supportedDiskProvisioning string
fault OvfUnsupportedElement OvfUnsupportedPackage vim/4.0
 name string
fault OvfUnsupportedElementValue OvfUnsupportedElement vim/4.0
 value string
fault OvfUnsupportedPackage OvfFault vim/4.0
 lineNumber int?
fault OvfUnsupportedSection OvfUnsupportedElement vim/4.0
 info string
fault OvfUnsupportedSubType OvfUnsupportedPackage vim/4.0
 elementName string
 instanceId string
 deviceType int
 deviceSubType string
fault OvfUnsupportedType OvfUnsupportedPackage vim/4.0
 name string
 instanceId string
 deviceType int
fault OvfWrongElement OvfElement vim/4.0
fault OvfWrongNamespace OvfInvalidPackage vim/4.0
 namespaceName string
fault OvfXmlFormat OvfInvalidPackage vim/4.0
 description string
data ParaVirtualSCSIController VirtualSCSIController vim/2.5u2server
fault PasswordExpired InvalidLogin vim/6.7.2
fault PatchAlreadyInstalled PatchNotApplicable vim/2.0
fault PatchBinariesNotFound VimFault vim/2.0
 patchID string
 binary string[]?
fault PatchInstallFailed PlatformConfigFault vim/2.0
 rolledBack boolean
fault PatchIntegrityError PlatformConfigFault vim/2.0
fault PatchMetadataCorrupted PatchMetadataInvalid vim/2.0
fault PatchMetadataInvalid VimFault vim/2.0
 patchID string
 metaData string[]?
fault PatchMetadataNotFound PatchMetadataInvalid vim/2.0
fault PatchMissingDependencies PatchNotApplicable vim/2.0
 prerequisitePatch string[]?
 prerequisiteLib string[]?
fault PatchNotApplicable VimFault vim/2.0
 patchID string
fault PatchSuperseded PatchNotApplicable vim/2.0
 supersede string[]?
data PbmAboutInfo DynamicData pbm/1.0
 name string
 version string
 instanceUuid string
fault PbmAlreadyExists PbmFault pbm/1.0
 name string?
data PbmCapabilityConstraintInstance DynamicData pbm/1.0
 propertyInstance PbmCapabilityPropertyInstance[]
data PbmCapabilityConstraints DynamicData pbm/1.0
data PbmCapabilityInstance DynamicData pbm/1.0
 id PbmCapabilityMetadataUniqueId
 constraint PbmCapabilityConstraintInstance[]
data PbmCapabilityMetadataUniqueId DynamicData pbm/1.0
 namespace string
 id string
data PbmCapabilityProfile PbmProfile pbm/1.0
 profileCategory string
 resourceType PbmProfileResourceType
 constraints PbmCapabilityConstraints
 generationId long?
 isDefault boolean
 systemCreatedProfileType string? pbm/2.0
 lineOfService string? pbm/6.5
 k8sCompliantName string? pbm/9.1.0.0
 otherK8sCompliantNames string[]? pbm/9.1.0.0
fault PbmCapabilityProfilePropertyMismatchFault PbmPropertyMismatchFault pbm/1.0
 resourcePropertyInstance PbmCapabilityPropertyInstance
data PbmCapabilityPropertyInstance DynamicData pbm/1.0
 id string
 operator string? pbm/6.5
 value anyType
data PbmCapabilitySubProfile DynamicData pbm/1.0
 name string
 capability PbmCapabilityInstance[]
 forceProvision boolean?
data PbmCapabilitySubProfileConstraints PbmCapabilityConstraints pbm/1.0
 subProfiles PbmCapabilitySubProfile[]
fault PbmCompatibilityCheckFault PbmFault pbm/1.0
 hub PbmPlacementHub
fault PbmDefaultProfileAppliesFault PbmCompatibilityCheckFault pbm/1.0
fault PbmDuplicateName PbmFault pbm/1.0
 name string
fault PbmFault MethodFault pbm/1.0
fault PbmFaultInvalidLogin PbmFault pbm/2.0
fault PbmFaultNoPermission SecurityError pbm/8.0.2.0
 missingPrivileges PbmFaultNoPermissionEntityPrivileges[]?
fault PbmFaultNotFound PbmFault pbm/1.0
fault PbmFaultProfileStorageFault PbmFault pbm/1.0
fault PbmIncompatibleVendorSpecificRuleSet PbmCapabilityProfilePropertyMismatchFault pbm/1.0
fault PbmLegacyHubsNotSupported PbmFault pbm/2.0
 hubs PbmPlacementHub[]
fault PbmNonExistentHubs PbmFault pbm/2.0
 hubs PbmPlacementHub[]
data PbmPlacementCapabilityConstraintsRequirement PbmPlacementRequirement pbm/6.5
 constraints PbmCapabilityConstraints
data PbmPlacementCapabilityProfileRequirement PbmPlacementRequirement pbm/6.5
 profileId PbmProfileId
data PbmPlacementCompatibilityResult DynamicData pbm/1.0
 hub PbmPlacementHub
 hubInfo PbmPlacementHubInfo? pbm/9.1.0.0
 matchingResources PbmPlacementMatchingResources[]? pbm/6.5
 howMany long? pbm/6.5
 utilization PbmPlacementResourceUtilization[]? pbm/6.5
 warning LocalizedMethodFault[]?
 error LocalizedMethodFault[]?
data PbmPlacementHub DynamicData pbm/1.0
 hubType string
 hubId string
data PbmPlacementRequirement DynamicData pbm/6.5
object PbmPlacementSolver ManagedObject pbm/1.0
 PbmCheckRequirements() PbmPlacementCompatibilityResult[]? pbm/6.5 StorageProfile.View PbmFault
  hubsToSearch PbmPlacementHub[]?
  placementSubjectRef PbmServerObjectRef?
  placementSubjectRequirement PbmPlacementRequirement[]?
data PbmPlacementZoneTopologyRequirement PbmPlacementCapabilityProfileRequirement pbm/9.1.0.0
 clusters PbmServerObjectRef[]?
data PbmProfile DynamicData pbm/1.0
 profileId PbmProfileId
 name string
 description string?
 creationTime dateTime
 createdBy string
 lastUpdatedTime dateTime
 lastUpdatedBy string
data PbmProfileId DynamicData pbm/1.0
 uniqueId string
object PbmProfileProfileManager ManagedObject pbm/1.0
 PbmQueryProfile() PbmProfileId[]? pbm/1.0 StorageProfile.View InvalidArgument
  resourceType PbmProfileResourceType
  profileCategory string?
 PbmRetrieveContent() PbmProfile[] pbm/1.0 StorageProfile.View InvalidArgument
  profileIds PbmProfileId[]
data PbmProfileResourceType DynamicData pbm/1.0
 resourceType string
fault PbmPropertyMismatchFault PbmCompatibilityCheckFault pbm/1.0
 capabilityInstanceId PbmCapabilityMetadataUniqueId
 requirementPropertyInstance PbmCapabilityPropertyInstance
fault PbmResourceInUse PbmFault pbm/1.0
 type string?
 name string?
data PbmServerObjectRef DynamicData pbm/1.0
 objectType string
 key string
 serverUuid string?
object PbmServiceInstance ManagedObject pbm/1.0
 content PbmServiceInstanceContent
 PbmRetrieveServiceContent() PbmServiceInstanceContent pbm/1.0 System.Anonymous -
data PbmServiceInstanceContent DynamicData pbm/1.0
 aboutInfo PbmAboutInfo
 sessionManager @PbmSessionManager
 capabilityMetadataManager @PbmCapabilityMetadataManager
 profileManager @PbmProfileProfileManager
 complianceManager @PbmComplianceManager
 placementSolver @PbmPlacementSolver
 replicationManager @PbmReplicationManager? pbm/6.5
data Permission DynamicData vim/2.0
 entity @ManagedEntity?
 principal string
 group boolean
 roleId int
 propagate boolean
fault PhysCompatRDMNotSupported RDMNotSupported vim/2.0
fault PlatformConfigFault HostConfigFault vim/2.0
 text string
fault PowerOnFtSecondaryFailed VmFaultToleranceIssue vim/4.0
 vm @VirtualMachine
 vmName string
 hostSelectionBy FtIssuesOnHostHostSelectionType
 hostErrors LocalizedMethodFault[]?
 rootCause LocalizedMethodFault
fault PowerOnFtSecondaryTimedout Timedout vim/4.0
 vm @VirtualMachine
 vmName string
 timeout int
data PrivilegeAvailability DynamicData vim/5.5
 privId string
 isGranted boolean
data PrivilegePolicyDef DynamicData vim/2.5
 createPrivilege string
 readPrivilege string
 updatePrivilege string
 deletePrivilege string
fault ProfileUpdateFailed VimFault vim/4.0
 failure ProfileUpdateFailedUpdateFailure[]
 warnings ProfileUpdateFailedUpdateFailure[]? vim/6.7
data PropertyChange DynamicData query/version1
 name string
 op PropertyChangeOp
 val anyType?
enum PropertyChangeOp query/version1 add remove assign indirectRemove
object PropertyCollector ManagedObject query/version1
 filter @PropertyFilter[]?
 CreateFilter() @PropertyFilter query/version1 System.View InvalidProperty
  spec PropertyFilterSpec
  partialUpdates boolean
 RetrieveProperties() ObjectContent[]? query/version1 System.Anonymous InvalidProperty
  specSet PropertyFilterSpec[]
 CancelWaitForUpdates() void query/version1 System.View -
 WaitForUpdatesEx() UpdateSet? query/version3 System.View InvalidCollectorVersion
  version string?
  options WaitOptions?
 RetrievePropertiesEx() RetrieveResult? query/version3 System.Anonymous InvalidProperty
  specSet PropertyFilterSpec[]
  options RetrieveOptions
 ContinueRetrievePropertiesEx() RetrieveResult query/version3 System.View InvalidProperty
  token string
 CancelRetrievePropertiesEx() void query/version3 System.View InvalidProperty
  token string
 CreatePropertyCollector() @PropertyCollector query/version3 System.View -
 DestroyPropertyCollector() void query/version3 System.View -
object PropertyFilter ManagedObject query/version1
 spec PropertyFilterSpec
 partialUpdates boolean
 DestroyPropertyFilter() void query/version1 - -
data PropertyFilterSpec DynamicData query/version1
 propSet PropertySpec[]
 objectSet ObjectSpec[]
 reportMissingObjectsInResults boolean? query/version3
data PropertyFilterUpdate DynamicData query/version1
 filter @PropertyFilter
 objectSet ObjectUpdate[]?
 missingSet MissingObject[]?
data PropertySpec DynamicData query/version1
 type string
 all boolean?
 pathSet string[]?
fault QuarantineModeFault VmConfigFault vim/6.5
 vmName string
 faultType string
fault QuestionPending InvalidState vim/4.1
 text string
fault QuiesceDatastoreIOForHAFailed ResourceInUse vim/5.0
 host @HostSystem
 hostName string
 ds @Datastore
 dsName string
fault RDMConversionNotSupported MigrationFault vim/4.0
 device string
fault RDMNotPreserved MigrationFault vim/2.0
 device string
fault RDMNotSupported DeviceNotSupported vim/2.0
fault RDMNotSupportedOnDatastore VmConfigFault vim/2.5
 device string
 datastore @Datastore
 datastoreName string
fault RDMPointsToInaccessibleDisk CannotAccessVmDisk vim/2.0
fault RawDiskNotSupported DeviceNotSupported vim/2.0
fault ReadHostResourcePoolTreeFailed HostConnectFault vim/5.0
fault ReadOnlyDisksWithLegacyDestination MigrationFault vim/2.0
 roDiskCount int
 timeoutDanger boolean
fault RebootRequired VimFault vim/2.0
 patch string?
fault RecordReplayDisabled VimFault vim/4.0
fault RemoteDeviceNotSupported DeviceNotSupported vim/2.0
fault RemoveFailed VimFault vim/2.0
fault ReplicationConfigFault ReplicationFault vim/5.0
data ReplicationConfigSpec DynamicData vim/5.0
 generation long
 vmReplicationId string
 destination string
 port int
 rpo long
 quiesceGuestEnabled boolean
 paused boolean
 oppUpdatesEnabled boolean
 netCompressionEnabled boolean? vim/6.0
 netEncryptionEnabled boolean? vim/6.7
 encryptionDestination string? vim/6.7
 additionalEncryptionDestination string[]? vim/9.1.0.0
 encryptionPort int? vim/6.7
 remoteCertificateThumbprint string? vim/6.7
 dataSetsReplicationEnabled boolean? vim/8.0.0.0
 useHbrProxyHttpPreamble boolean? vim/9.1.0.0
 disk ReplicationInfoDiskSettings[]?
fault ReplicationDiskConfigFault ReplicationConfigFault vim/5.0
 reason string?
 vmRef @VirtualMachine?
 key int?
fault ReplicationFault VimFault vim/5.0
data ReplicationGroupId DynamicData vim/6.5
 faultDomainId FaultDomainId
 deviceGroupId DeviceGroupId
fault ReplicationIncompatibleWithFT ReplicationFault vim/5.0
data ReplicationInfoDiskSettings DynamicData vim/5.0
 key int
 diskReplicationId string
fault ReplicationInvalidOptions ReplicationFault vim/5.0
 options string
 entity @ManagedEntity?
fault ReplicationNotSupportedOnHost ReplicationFault vim/5.0
data ReplicationSpec DynamicData vim/6.5
 replicationGroupId ReplicationGroupId
fault ReplicationVmConfigFault ReplicationConfigFault vim/5.0
 reason string?
 vmRef @VirtualMachine?
fault ReplicationVmFault ReplicationFault vim/5.0
 reason string
 state string?
 instanceId string?
 vm @VirtualMachine
fault ReplicationVmInProgressFault ReplicationVmFault vim/6.0
 requestedActivity string
 inProgressActivity string
fault RequestCanceled RuntimeFault vmodl/version0
data ResourceAllocationInfo DynamicData vim/2.0
 reservation long?
 expandableReservation boolean?
 limit long?
 shares SharesInfo?
 overheadLimit long? vim/2.5
data ResourceConfigSpec DynamicData vim/2.0
 entity @ManagedEntity?
 changeVersion string?
 lastModified dateTime?
 cpuAllocation ResourceAllocationInfo
 memoryAllocation ResourceAllocationInfo
 scaleDescendantsShares string? vim/7.0.0.0
fault ResourceInUse VimFault vim/2.0
 type string?
 name string?
fault ResourceNotAvailable VimFault vim/4.0
 containerType string?
 containerName string?
 type string?
object ResourcePool ManagedEntity vim/2.0
 summary ResourcePoolSummary
 runtime ResourcePoolRuntimeInfo
 owner @ComputeResource
 resourcePool @ResourcePool[]?
 vm @VirtualMachine[]?
 config ResourceConfigSpec
 namespace string? vim/7.0.0.0
 childConfiguration ResourceConfigSpec[]?
data ResourcePoolRuntimeInfo DynamicData vim/2.0
 memory ResourcePoolResourceUsage
 cpu ResourcePoolResourceUsage
 overallStatus ManagedEntityStatus
 sharesScalable string? vim/7.0.0.0
data ResourcePoolSummary DynamicData vim/2.0
 name string
 config ResourceConfigSpec
 runtime ResourcePoolRuntimeInfo
 quickStats ResourcePoolQuickStats? vim/4.0
 configuredMemoryMB int? vim/4.0
fault RestrictedByAdministrator RuntimeFault vim/6.0
 details string
fault RestrictedVersion SecurityError vim/2.5
data RetrieveOptions DynamicData query/version3
 maxObjects int?
data RetrieveResult DynamicData query/version3
 token string?
 objects ObjectContent[]
fault RollbackFailure DvsFault vim/5.1
 entityName string
 entityType string
fault RuleViolation VmConfigFault vim/2.0
 host @HostSystem? vim/2.5
 rule ClusterRuleInfo vim/4.0
fault RuntimeFault MethodFault vmodl/version0
fault SSLDisabledFault HostConnectFault vim/4.0
fault SSLVerifyFault HostConnectFault vim/2.5
 selfSigned boolean
 thumbprint string?
 certificate string? vim/9.0.0.0
fault SSPIChallenge VimFault vim/2.5
 base64Token string
data ScheduledHardwareUpgradeInfo DynamicData vim/5.1
 upgradePolicy string?
 versionKey string?
 scheduledHardwareUpgradeStatus string?
 fault LocalizedMethodFault?
data ScheduledTaskDetail TypeDescription vim/2.0
 frequency string
object SearchIndex ManagedObject vim/2.0
 FindByUuid() @ManagedEntity? vim/2.0 System.View -
  datacenter @Datacenter?
  uuid string
  vmSearch boolean
  instanceUuid boolean? vim/4.0
 FindByDnsName() @ManagedEntity? vim/2.0 System.View -
  datacenter @Datacenter?
  dnsName string
  vmSearch boolean
 FindByIp() @ManagedEntity? vim/2.0 System.View -
  datacenter @Datacenter?
  ip string
  vmSearch boolean
 FindByInventoryPath() @ManagedEntity? vim/2.0 System.View -
  inventoryPath string
 FindChild() @ManagedEntity? vim/2.0 System.View -
  entity @ManagedEntity
  name string
 FindAllByUuid() @ManagedEntity[] vim/4.0 System.View -
  datacenter @Datacenter?
  uuid string
  vmSearch boolean
  instanceUuid boolean?
 FindAllByDnsName() @ManagedEntity[] vim/4.0 System.View -
  datacenter @Datacenter?
  dnsName string
  vmSearch boolean
 FindAllByIp() @ManagedEntity[] vim/4.0 System.View -
  datacenter @Datacenter?
  ip string
  vmSearch boolean
fault SecondaryVmAlreadyDisabled VmFaultToleranceIssue vim/4.0
 instanceUuid string
fault SecondaryVmAlreadyEnabled VmFaultToleranceIssue vim/4.0
 instanceUuid string
fault SecondaryVmAlreadyRegistered VmFaultToleranceIssue vim/4.0
 instanceUuid string
fault SecondaryVmNotRegistered VmFaultToleranceIssue vim/4.0
 instanceUuid string
fault SecurityError RuntimeFault vmodl/version0
data SelectionSpec DynamicData query/version1
 name string?
data ServiceContent DynamicData vim/2.0
 rootFolder @Folder
 propertyCollector @PropertyCollector
 viewManager @ViewManager? vim/2.5
 about AboutInfo
 setting @OptionManager?
 userDirectory @UserDirectory?
 sessionManager @SessionManager?
 authorizationManager @AuthorizationManager?
 serviceManager @ServiceManager? vim/5.1
 perfManager @PerformanceManager?
 scheduledTaskManager @ScheduledTaskManager?
 alarmManager @AlarmManager?
 eventManager @EventManager?
 taskManager @TaskManager?
 extensionManager @ExtensionManager? vim/2.5
 customizationSpecManager @CustomizationSpecManager?
 guestCustomizationManager @VirtualMachineGuestCustomizationManager? vim/6.8.7
 customFieldsManager @CustomFieldsManager?
 accountManager @HostLocalAccountManager?
 diagnosticManager @DiagnosticManager?
 licenseManager @LicenseManager?
 searchIndex @SearchIndex?
 fileManager @FileManager? vim/2.5
 datastoreNamespaceManager @DatastoreNamespaceManager? vim/5.5
 virtualDiskManager @VirtualDiskManager? vim/2.5
 virtualizationManager @VirtualizationManager? vim/2.5
 snmpSystem @HostSnmpSystem? vim/4.0
 vmProvisioningChecker @VirtualMachineProvisioningChecker? vim/4.0
 vmCompatibilityChecker @VirtualMachineCompatibilityChecker? vim/4.0
 ovfManager @OvfManager? vim/4.0
 ipPoolManager @IpPoolManager? vim/4.0
 dvSwitchManager @DistributedVirtualSwitchManager? vim/4.0
 hostProfileManager @HostProfileManager? vim/4.0
 clusterProfileManager @ClusterProfileManager? vim/4.0
 complianceManager @ProfileComplianceManager? vim/4.0
 localizationManager @LocalizationManager? vim/4.0
 storageResourceManager @StorageResourceManager? vim/4.1
 guestOperationsManager @GuestOperationsManager? vim/5.0
 overheadMemoryManager @OverheadMemoryManager? vim/6.0
 certificateManager @CertificateManager? vim/6.0
 ioFilterManager @IoFilterManager? vim/6.0
 vStorageObjectManager @VStorageObjectManagerBase? vim/6.5
 hostSpecManager @HostSpecificationManager? vim/6.5
 cryptoManager @CryptoManager? vim/6.5
 healthUpdateManager @HealthUpdateManager? vim/6.5
 failoverClusterConfigurator @FailoverClusterConfigurator? vim/6.5
 failoverClusterManager @FailoverClusterManager? vim/6.5
 tenantManager @TenantTenantManager? vim/6.9.1
 siteInfoManager @SiteInfoManager? vim/7.0.0.0
 storageQueryManager @StorageQueryManager? vim/6.7.2
 directPathProfileManager @DirectPathProfileManager? vim/9.0.0.0
object ServiceInstance ManagedObject vim/2.0
 serverClock dateTime
 capability Capability
 content ServiceContent
 CurrentTime() dateTime vim/2.0 System.View -
 RetrieveServiceContent() ServiceContent vim/2.0 System.Anonymous -
object SessionManager ManagedObject vim/2.0
 sessionList UserSession[]?
 currentSession UserSession?
 message string?
 messageLocaleList string[]?
 supportedLocaleList string[]?
 defaultLocale string
 LoginByToken() UserSession vim/5.1 System.Anonymous InvalidLogin,InvalidLocale
  locale string?
 Login() UserSession vim/2.0 System.Anonymous InvalidLogin,InvalidLocale
  userName string
  password string
  locale string?
 Logout() void vim/2.0 System.View -
 TerminateSession() void vim/2.0 Sessions.TerminateSession NotFound
  sessionId string[]
 SessionIsActive() boolean vim/2.5 Sessions.ValidateSession -
  sessionID string
  userName string
fault SessionNotFound RuntimeFault vmodl/version3
fault SharedBusControllerNotSupported DeviceNotSupported vim/2.0
data SharesInfo DynamicData vim/2.0
 shares int
 level SharesLevel
enum SharesLevel vim/2.0 low normal high custom
fault ShrinkDiskFault VimFault vim/5.1
 diskId int?
fault SnapshotCloneNotSupported SnapshotCopyNotSupported vim/2.5
fault SnapshotCopyNotSupported MigrationFault vim/2.0
fault SnapshotDisabled SnapshotFault vim/2.5
fault SnapshotFault VimFault vim/2.0
fault SnapshotIncompatibleDeviceInVm SnapshotFault vim/2.0
 fault LocalizedMethodFault
fault SnapshotLocked SnapshotFault vim/2.5
fault SnapshotMoveFromNonHomeNotSupported SnapshotCopyNotSupported vim/2.5
fault SnapshotMoveNotSupported SnapshotCopyNotSupported vim/2.5
fault SnapshotMoveToNonHomeNotSupported SnapshotCopyNotSupported vim/2.5
fault SnapshotNoChange SnapshotFault vim/2.5
fault SnapshotRevertIssue MigrationFault vim/2.0
 snapshotName string?
 event Event[]?
 errors boolean
fault SoftRuleVioCorrectionDisallowed VmConfigFault vim/4.1
 vmName string
fault SoftRuleVioCorrectionImpact VmConfigFault vim/4.1
 vmName string
fault SolutionUserRequired SecurityError vim/7.0.0.0
fault SsdDiskNotAvailable VimFault vim/5.5
 devicePath string
fault StorageDrsCannotMoveDiskInMultiWriterMode VimFault vim/5.1
fault StorageDrsCannotMoveFTVm VimFault vim/5.1
fault StorageDrsCannotMoveIndependentDisk VimFault vim/5.1
fault StorageDrsCannotMoveManuallyPlacedSwapFile VimFault vim/5.1
fault StorageDrsCannotMoveManuallyPlacedVm VimFault vim/5.1
fault StorageDrsCannotMoveSharedDisk VimFault vim/5.1
fault StorageDrsCannotMoveTemplate VimFault vim/5.1
fault StorageDrsCannotMoveVmInUserFolder VimFault vim/5.1
fault StorageDrsCannotMoveVmWithMountedCDROM VimFault vim/5.1
fault StorageDrsCannotMoveVmWithNoFilesInLayout VimFault vim/5.1
fault StorageDrsDatacentersCannotShareDatastore VimFault vim/5.5
fault StorageDrsDisabledOnVm VimFault vim/5.0
fault StorageDrsHbrDiskNotMovable VimFault vim/6.0
 nonMovableDiskIds string
fault StorageDrsHmsMoveInProgress VimFault vim/6.0
fault StorageDrsHmsUnreachable VimFault vim/6.0
fault StorageDrsIolbDisabledInternally VimFault vim/5.0
fault StorageDrsRelocateDisabled VimFault vim/6.0
fault StorageDrsStaleHmsCollection VimFault vim/6.0
fault StorageDrsUnableToMoveFiles VimFault vim/5.1
data StorageIOAllocationInfo DynamicData vim/4.1
 limit long?
 shares SharesInfo?
 reservation int? vim/5.5
object StoragePod Folder vim/5.0
 summary StoragePodSummary?
 podStorageDrsEntry PodStorageDrsEntry?
fault StorageVMotionNotSupported MigrationFeatureNotSupported vim/4.0
fault StorageVmotionIncompatible VirtualHardwareCompatibilityIssue vim/5.0
 datastore @Datastore?
data StringOption OptionType vim/2.0
 defaultValue string
 validCharacters string?
fault SuspendedRelocateNotSupported MigrationFault vim/2.0
fault SwapDatastoreNotWritableOnHost DatastoreNotWritableOnHost vim/2.5
fault SwapDatastoreUnset VimFault vim/2.5
fault SwapPlacementOverrideNotSupported InvalidVmConfig vim/2.5
fault SwitchIpUnset DvsFault vim/5.1
fault SwitchNotInUpgradeMode DvsFault vim/4.0
fault SystemError RuntimeFault vmodl/version0
 reason string
data TagId DynamicData vim/9.1.0.0
 nameId TagIdNameId?
 uuid string?
data TagIdNameId DynamicData vim/9.1.0.0
 tag string
 category string
data TagSpec ArrayUpdateSpec vim/9.1.0.0
 id TagId
object Task ExtensibleManagedObject vim/2.0
 info TaskInfo
 CancelTask() void vim/2.0 - InvalidState
fault TaskInProgress VimFault vim/2.0
 task @Task
data TaskInfo DynamicData vim/2.0
 key string
 task @Task
 description LocalizableMessage? vim/4.0
 name string?
 descriptionId string
 entity @ManagedEntity?
 entityName string?
 locked @ManagedEntity[]?
 state TaskInfoState
 cancelled boolean
 cancelable boolean
 error LocalizedMethodFault?
 result anyType?
 progress int?
 progressDetails KeyAnyValue[]? vim/8.0.1.0
 reason TaskReason
 queueTime dateTime
 startTime dateTime?
 completeTime dateTime?
 eventChainId int
 changeTag string? vim/4.0
 parentTaskKey string? vim/4.0
 rootTaskKey string? vim/4.0
 activationId string? vim/6.0
enum TaskInfoState vim/2.0 queued running success error
object TaskManager ManagedObject vim/2.0
 recentTask @Task[]?
 description TaskDescription
 maxCollector int
data TaskReason DynamicData vim/2.0
data TaskReasonAlarm TaskReason vim/2.0
 alarmName string
 alarm @Alarm
 entityName string
 entity @ManagedEntity
data TaskReasonSchedule TaskReason vim/2.0
 name string
 scheduledTask @ScheduledTask
data TaskReasonSystem TaskReason vim/2.0
data TaskReasonUser TaskReason vim/2.0
 userName string
fault ThirdPartyLicenseAssignmentFailed RuntimeFault vim/5.0
 host @HostSystem
 module string
 reason string?
fault Timedout VimFault vim/2.0
fault TooManyConcurrentNativeClones FileFault vim/5.0
fault TooManyConsecutiveOverrides VimFault vim/2.5
fault TooManyDevices InvalidVmConfig vim/2.0
fault TooManyDisksOnLegacyHost MigrationFault vim/2.5
 diskCount int
 timeoutDanger boolean
fault TooManyGuestLogons GuestOperationsFault vim/5.0
fault TooManyHosts HostConnectFault vim/2.0
fault TooManyNativeCloneLevels FileFault vim/5.0
fault TooManyNativeClonesOnFile FileFault vim/5.0
fault TooManySnapshotLevels SnapshotFault vim/2.0
fault ToolsAlreadyUpgraded VmToolsUpgradeFault vim/4.0
fault ToolsAutoUpgradeNotSupported VmToolsUpgradeFault vim/4.0
data ToolsConfigInfo DynamicData vim/2.0
 toolsVersion int?
 toolsInstallType string? vim/6.5
 afterPowerOn boolean?
 afterResume boolean?
 beforeGuestStandby boolean?
 beforeGuestShutdown boolean?
 beforeGuestReboot boolean?
 toolsUpgradePolicy string? vim/2.5
 pendingCustomization string? vim/2.5
 customizationKeyId CryptoKeyId? vim/6.5
 syncTimeWithHostAllowed boolean? vim/7.0.1.0
 syncTimeWithHost boolean? vim/2.5
 lastInstallInfo ToolsConfigInfoToolsLastInstallInfo? vim/5.0
data ToolsConfigInfoToolsLastInstallInfo DynamicData vim/5.0
 counter int
 fault LocalizedMethodFault?
fault ToolsImageCopyFailed VmToolsUpgradeFault vim/5.1
fault ToolsImageNotAvailable VmToolsUpgradeFault vim/4.0
fault ToolsImageSignatureCheckFailed VmToolsUpgradeFault vim/4.0
fault ToolsInstallationInProgress MigrationFault vim/4.0
fault ToolsUnavailable VimFault vim/2.0
fault ToolsUpgradeCancelled VmToolsUpgradeFault vim/4.0
data TraversalSpec SelectionSpec query/version1
 type string
 path string
 skip boolean?
 selectSet SelectionSpec[]?
data TypeDescription Description vim/2.0
 key string
fault UnSupportedDatastoreForVFlash UnsupportedDatastore vim/5.5
 datastoreName string
 type string
fault UncommittedUndoableDisk MigrationFault vim/2.0
fault UnconfiguredPropertyValue InvalidPropertyValue vim/4.0
fault UncustomizableGuest CustomizationFault vim/2.0
 uncustomizableGuestOS string
fault UnexpectedCustomizationFault CustomizationFault vim/2.0
fault UnexpectedFault RuntimeFault vmodl/version0
 faultName string
 fault LocalizedMethodFault?
fault UnrecognizedHost VimFault vim/2.5
 hostName string
fault UnsharedSwapVMotionNotSupported MigrationFeatureNotSupported vim/2.5
fault UnsupportedDatastore VmConfigFault vim/2.0
 datastore @Datastore?
fault UnsupportedGuest InvalidVmConfig vim/2.0
 unsupportedGuestOS string
fault UnsupportedVimApiVersion VimFault vim/4.0
 version string?
fault UnsupportedVmxLocation VmConfigFault vim/2.0
fault UnusedVirtualDiskBlocksNotScrubbed DeviceBackingNotSupported vim/4.0
data UpdateSet DynamicData query/version1
 version string
 filterSet PropertyFilterUpdate[]?
 truncated boolean? query/version3
object UserDirectory ManagedObject vim/2.0
 domainList string[]?
fault UserNotFound VimFault vim/2.0
 principal string
 unresolved boolean
data UserPrivilegeResult DynamicData vim/6.5
 entity @ManagedEntity
 privileges string[]?
data UserSession DynamicData vim/2.0
 key string
 userName string
 fullName string
 loginTime dateTime
 lastActiveTime dateTime
 locale string
 messageLocale string
 extensionSession boolean vim/5.0
 ipAddress string vim/5.1
 userAgent string vim/5.1
 callCount long vim/5.1
fault VAppConfigFault VimFault vim/4.0
data VAppConfigSpec VmConfigSpec vim/4.0
 entityConfig VAppEntityConfigInfo[]?
 annotation string?
 instanceUuid string? vim/4.1
 managedBy ManagedByInfo? vim/5.0
data VAppEntityConfigInfo DynamicData vim/4.0
 key @ManagedEntity?
 tag string?
 startOrder int?
 startDelay int?
 waitingForGuest boolean?
 startAction string?
 stopDelay int?
 stopAction string?
 destroyWithParent boolean? vim/4.1
data VAppIPAssignmentInfo DynamicData vim/4.0
 supportedAllocationScheme string[]?
 ipAllocationPolicy string?
 supportedIpProtocol string[]?
 ipProtocol string?
fault VAppNotRunning VmConfigFault vim/4.0
fault VAppOperationInProgress RuntimeFault vim/5.0
data VAppOvfSectionInfo DynamicData vim/4.0
 key int?
 namespace string?
 type string?
 atEnvelopeLevel boolean?
 contents string?
data VAppOvfSectionSpec ArrayUpdateSpec vim/4.0
 info VAppOvfSectionInfo?
data VAppProductInfo DynamicData vim/4.0
 key int
 classId string?
 instanceId string?
 name string?
 vendor string?
 version string?
 fullVersion string?
 vendorUrl string?
 productUrl string?
 appUrl string?
data VAppProductSpec ArrayUpdateSpec vim/4.0
 info VAppProductInfo?
fault VAppPropertyFault VmConfigFault vim/4.0
 id string
 category string
 label string
 type string
 value string
data VAppPropertyInfo DynamicData vim/4.0
 key int
 classId string?
 instanceId string?
 id string?
 category string?
 label string?
 type string?
 typeReference string? vim/5.1
 userConfigurable boolean?
 defaultValue string?
 value string?
 description string?
data VAppPropertySpec ArrayUpdateSpec vim/4.0
 info VAppPropertyInfo?
fault VAppTaskInProgress TaskInProgress vim/4.0
fault VFlashCacheHotConfigNotSupported VmConfigFault vim/6.0
fault VFlashModuleNotSupported VmConfigFault vim/5.5
 vmName string
 moduleName string
 reason string
 hostName string
fault VFlashModuleVersionIncompatible VimFault vim/5.5
 moduleName string
 vmRequestModuleVersion string
 hostMinSupportedVerson string
 hostModuleVersion string
fault VMINotSupported DeviceNotSupported vim/2.5
fault VMOnConflictDVPort CannotAccessNetwork vim/4.0
fault VMOnVirtualIntranet CannotAccessNetwork vim/2.0
fault VMotionAcrossNetworkNotSupported MigrationFeatureNotSupported vim/5.5
fault VMotionInterfaceIssue MigrationFault vim/2.0
 atSourceHost boolean
 failedHost string
 failedHostEntity @HostSystem? vim/2.5
fault VMotionLinkCapacityLow VMotionInterfaceIssue vim/2.0
 network string
fault VMotionLinkDown VMotionInterfaceIssue vim/2.0
 network string
fault VMotionNotConfigured VMotionInterfaceIssue vim/2.0
fault VMotionNotLicensed VMotionInterfaceIssue vim/2.0
fault VMotionNotSupported VMotionInterfaceIssue vim/2.0
fault VMotionProtocolIncompatible MigrationFault vim/2.0
data VStorageObject DynamicData vim/6.5
 config VStorageObjectConfigInfo
data VStorageObjectConfigInfo BaseConfigInfo vim/6.5
 descriptorVersion int? vim/8.0.1.0
 capacityInMB long
 consumptionType string[]?
 consumerId ID[]?
 virtualDiskFormat string? vim/9.0.0.0
 linkedCloneBasePath string? vim/9.1.0.0
 linkedCloneParentId ID? vim/9.1.0.0
object VStorageObjectManagerBase ManagedObject vim/6.5
object VcenterVStorageObjectManager VStorageObjectManagerBase vim/6.5
 RegisterDisk() VStorageObject vim/6.5 System.View FileFault,InvalidDatastore,AlreadyExists
  path string
  name string?
  id ID? vim/9.1.0.0
 RetrieveVStorageObject() VStorageObject vim/6.5 System.View FileFault,InvalidDatastore,NotFound
  id ID
  datastore @Datastore
  diskInfoFlags string[]? vim/8.0.0.1
 ListVStorageObject() ID[]? vim/6.5 System.View InvalidDatastore
  datastore @Datastore
 SetVStorageObjectControlFlags() void vim/6.7 System.View InvalidDatastore,InvalidState,NotFound
  id ID
  datastore @Datastore
  controlFlags string[]?
 ClearVStorageObjectControlFlags() void vim/6.7 System.View InvalidDatastore,InvalidState,NotFound
  id ID
  datastore @Datastore
  controlFlags string[]?
 ReconcileDatastoreInventory_Task() @Task vim/6.5 System.View InvalidDatastore,NotFound
  datastore @Datastore
  deepCleansing boolean? vim/9.0.0.0
object View ManagedObject vim/2.5
 DestroyView() void vim/2.5 System.View -
object ViewManager ManagedObject vim/2.5
 viewList @View[]?
 CreateContainerView() @ContainerView vim/2.5 System.View -
  container @ManagedEntity
  type string[]?
  recursive boolean
 CreateListView() @ListView vim/2.5 System.View -
  obj @ManagedObject[]?
fault VimFault MethodFault vim/2.0
data VirtualAHCIController VirtualSATAController vim/5.5
object VirtualApp ResourcePool vim/4.0
 parentFolder @Folder?
 datastore @Datastore[]?
 network @Network[]?
 vAppConfig VAppConfigInfo?
 parentVApp @ManagedEntity? vim/4.1
 childLink VirtualAppLinkInfo[]? vim/4.1
data VirtualBusLogicController VirtualSCSIController vim/2.0
data VirtualCdrom VirtualDevice vim/2.0
data VirtualCdromAtapiBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualCdromIsoBackingInfo VirtualDeviceFileBackingInfo vim/2.0
data VirtualCdromPassthroughBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
 exclusive boolean
data VirtualCdromRemoteAtapiBackingInfo VirtualDeviceRemoteDeviceBackingInfo vim/2.0
data VirtualCdromRemotePassthroughBackingInfo VirtualDeviceRemoteDeviceBackingInfo vim/2.0
 exclusive boolean
data VirtualController VirtualDevice vim/2.0
 busNumber int
 device int[]?
data VirtualDevice DynamicData vim/2.0
 key int
 deviceInfo Description?
 backing VirtualDeviceBackingInfo?
 connectable VirtualDeviceConnectInfo?
 slotInfo VirtualDeviceBusSlotInfo? vim/5.1
 controllerKey int?
 unitNumber int?
 numaNode int? vim/8.0.0.1
 deviceGroupInfo VirtualDeviceDeviceGroupInfo? vim/8.0.0.1
data VirtualDeviceBackingInfo DynamicData vim/2.0
data VirtualDeviceBusSlotInfo DynamicData vim/5.1
data VirtualDeviceConfigSpec DynamicData vim/2.0
 operation VirtualDeviceConfigSpecOperation?
 fileOperation VirtualDeviceConfigSpecFileOperation?
 device VirtualDevice
 profile VirtualMachineProfileSpec[]? vim/5.5
 backing VirtualDeviceConfigSpecBackingSpec? vim/6.5
 filterSpec VirtualMachineBaseIndependentFilterSpec[]? vim/7.0.2.1
 changeMode string? vim/8.0.0.1
data VirtualDeviceConfigSpecBackingSpec DynamicData vim/6.5
 parent VirtualDeviceConfigSpecBackingSpec?
 crypto CryptoSpec?
enum VirtualDeviceConfigSpecFileOperation vim/2.0 create destroy replace
enum VirtualDeviceConfigSpecOperation vim/2.0 add remove edit
data VirtualDeviceConnectInfo DynamicData vim/2.0
 migrateConnect string? vim/6.7
 startConnected boolean
 allowGuestControl boolean
 connected boolean
 status string? vim/4.0
data VirtualDeviceDeviceBackingInfo VirtualDeviceBackingInfo vim/2.0
 deviceName string
 useAutoDetect boolean? vim/2.5
data VirtualDeviceDeviceGroupInfo DynamicData vim/8.0.0.1
 groupInstanceKey int
 sequenceId int
data VirtualDeviceFileBackingInfo VirtualDeviceBackingInfo vim/2.0
 fileName string
 datastore @Datastore?
 backingObjectId string? vim/5.5
data VirtualDevicePciBusSlotInfo VirtualDeviceBusSlotInfo vim/5.1
 pciSlotNumber int
data VirtualDevicePipeBackingInfo VirtualDeviceBackingInfo vim/2.0
 pipeName string
data VirtualDeviceRemoteDeviceBackingInfo VirtualDeviceBackingInfo vim/2.0
 deviceName string
 useAutoDetect boolean? vim/2.5
data VirtualDeviceURIBackingInfo VirtualDeviceBackingInfo vim/4.1
 serviceURI string
 direction string
 proxyURI string?
data VirtualDisk VirtualDevice vim/2.0
 capacityInKB long
 capacityInBytes long? vim/5.5
 shares SharesInfo?
 storageIOAllocation StorageIOAllocationInfo? vim/4.1
 diskObjectId string? vim/5.5
 vFlashCacheConfigInfo VirtualDiskVFlashCacheConfigInfo? vim/5.5
 iofilter string[]? vim/6.0
 vDiskId ID? vim/6.5
 vDiskVersion int? vim/8.0.1.0
 virtualDiskFormat string? vim/9.0.0.0
 nativeUnmanagedLinkedClone boolean? vim/6.7
 independentFilters VirtualMachineBaseIndependentFilterSpec[]? vim/7.0.2.1
 guestReadOnly boolean? vim/8.0.2.0
 diskChainBrokenIssue string? vim/9.1.0.0
fault VirtualDiskBlocksNotFullyProvisioned DeviceBackingNotSupported vim/4.0
data VirtualDiskConfigSpec VirtualDeviceConfigSpec vim/5.5
 diskMoveType string? vim/6.0
 migrateCache boolean?
data VirtualDiskFlatVer1BackingInfo VirtualDeviceFileBackingInfo vim/2.0
 diskMode string
 split boolean?
 writeThrough boolean?
 contentId string? vim/4.0
 parent VirtualDiskFlatVer1BackingInfo? vim/4.0
data VirtualDiskFlatVer2BackingInfo VirtualDeviceFileBackingInfo vim/2.0
 diskMode string
 split boolean?
 writeThrough boolean?
 thinProvisioned boolean?
 eagerlyScrub boolean? vim/4.0
 uuid string? vim/2.5
 contentId string? vim/4.0
 changeId string? vim/4.0
 parent VirtualDiskFlatVer2BackingInfo? vim/4.0
 deltaDiskFormat string? vim/5.0
 digestEnabled boolean? vim/5.0
 deltaGrainSize int? vim/5.1
 deltaDiskFormatVariant string? vim/6.0
 sharing string? vim/6.0
 keyId CryptoKeyId? vim/6.5
data VirtualDiskLocalPMemBackingInfo VirtualDeviceFileBackingInfo vim/6.7
 diskMode string
 uuid string?
 volumeUUID string?
 contentId string?
fault VirtualDiskModeNotSupported DeviceNotSupported vim/4.1
 mode string
data VirtualDiskPartitionedRawDiskVer2BackingInfo VirtualDiskRawDiskVer2BackingInfo vim/2.0
 partition int[]
data VirtualDiskRawDiskMappingVer1BackingInfo VirtualDeviceFileBackingInfo vim/2.0
 lunUuid string?
 deviceName string?
 compatibilityMode string?
 diskMode string?
 uuid string? vim/2.5
 contentId string? vim/4.0
 changeId string? vim/4.0
 parent VirtualDiskRawDiskMappingVer1BackingInfo? vim/4.0
 deltaDiskFormat string? vim/6.7
 deltaGrainSize int? vim/6.7
 sharing string? vim/6.0
data VirtualDiskRawDiskVer2BackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
 descriptorFileName string
 uuid string? vim/2.5
 changeId string? vim/4.0
 sharing string? vim/6.0
data VirtualDiskSeSparseBackingInfo VirtualDeviceFileBackingInfo vim/5.1
 diskMode string
 writeThrough boolean?
 uuid string?
 contentId string?
 changeId string?
 parent VirtualDiskSeSparseBackingInfo?
 deltaDiskFormat string?
 digestEnabled boolean?
 grainSize int?
 keyId CryptoKeyId? vim/6.5
data VirtualDiskSparseVer1BackingInfo VirtualDeviceFileBackingInfo vim/2.0
 diskMode string
 split boolean?
 writeThrough boolean?
 spaceUsedInKB long?
 contentId string? vim/4.0
 parent VirtualDiskSparseVer1BackingInfo? vim/4.0
data VirtualDiskSparseVer2BackingInfo VirtualDeviceFileBackingInfo vim/2.0
 diskMode string
 split boolean?
 writeThrough boolean?
 spaceUsedInKB long?
 uuid string? vim/2.5
 contentId string? vim/4.0
 changeId string? vim/4.0
 parent VirtualDiskSparseVer2BackingInfo? vim/4.0
 keyId CryptoKeyId? vim/6.5
data VirtualDiskVFlashCacheConfigInfo DynamicData vim/5.5
 vFlashModule string?
 reservationInMB long?
 cacheConsistencyType string?
 cacheMode string?
 blockSizeInKB long?
data VirtualE1000 VirtualEthernetCard vim/2.0
data VirtualE1000e VirtualEthernetCard vim/5.0
data VirtualEnsoniq1371 VirtualSoundCard vim/2.0
data VirtualEthernetCard VirtualDevice vim/2.0
 addressType string?
 macAddress string?
 wakeOnLanEnabled boolean?
 resourceAllocation VirtualEthernetCardResourceAllocation? vim/6.0
 externalId string? vim/6.0
 uptCompatibilityEnabled boolean? vim/6.0
 subnetId string? vim/9.0.0.0
data VirtualEthernetCardDistributedVirtualPortBackingInfo VirtualDeviceBackingInfo vim/4.0
 port DistributedVirtualSwitchPortConnection
data VirtualEthernetCardLegacyNetworkBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualEthernetCardNetworkBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
 network @Network?
 inPassthroughMode boolean? vim/2.5u2server
fault VirtualEthernetCardNotSupported DeviceNotSupported vim/2.5
data VirtualEthernetCardOpaqueNetworkBackingInfo VirtualDeviceBackingInfo vim/5.5
 opaqueNetworkId string
 opaqueNetworkType string
data VirtualEthernetCardResourceAllocation DynamicData vim/6.0
 reservation long?
 share SharesInfo
 limit long?
data VirtualFloppy VirtualDevice vim/2.0
data VirtualFloppyDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualFloppyImageBackingInfo VirtualDeviceFileBackingInfo vim/2.0
data VirtualFloppyRemoteDeviceBackingInfo VirtualDeviceRemoteDeviceBackingInfo vim/2.0
data VirtualHardware DynamicData vim/2.0
 numCPU int
 numCoresPerSocket int? vim/5.0
 autoCoresPerSocket boolean? vim/8.0.0.1
 memoryMB int
 virtualICH7MPresent boolean? vim/5.0
 virtualSMCPresent boolean? vim/5.0
 device VirtualDevice[]?
 motherboardLayout string? vim/8.0.0.1
 simultaneousThreads int? vim/8.0.0.1
fault VirtualHardwareCompatibilityIssue VmConfigFault vim/2.0
fault VirtualHardwareVersionNotSupported VirtualHardwareCompatibilityIssue vim/2.0
 hostName string vim/2.5
 host @HostSystem vim/2.5
data VirtualHdAudioCard VirtualSoundCard vim/5.0
data VirtualIDEController VirtualController vim/2.0
data VirtualKeyboard VirtualDevice vim/2.0
data VirtualLsiLogicController VirtualSCSIController vim/2.0
data VirtualLsiLogicSASController VirtualSCSIController vim/2.5u2server
object VirtualMachine ManagedEntity vim/2.0
 capability VirtualMachineCapability
 config VirtualMachineConfigInfo?
 layout VirtualMachineFileLayout?
 layoutEx VirtualMachineFileLayoutEx? vim/4.0
 storage VirtualMachineStorageInfo? vim/4.0
 environmentBrowser @EnvironmentBrowser
 resourcePool @ResourcePool?
 parentVApp @ManagedEntity? vim/4.1
 resourceConfig ResourceConfigSpec?
 runtime VirtualMachineRuntimeInfo
 guest GuestInfo?
 summary VirtualMachineSummary
 datastore @Datastore[]?
 network @Network[]?
 snapshot VirtualMachineSnapshotInfo?
 rootSnapshot @VirtualMachineSnapshot[]? vim/4.1
 guestHeartbeatStatus ManagedEntityStatus
 ReconfigVM_Task() @Task vim/2.0 - TaskInProgress,VmConfigFault,ConcurrentAccess,FileFault,InvalidName,DuplicateName,InvalidState,InsufficientResourcesFault,InvalidDatastore
  spec VirtualMachineConfigSpec
 UpgradeVM_Task() @Task vim/2.0 VirtualMachine.Config.UpgradeVirtualHardware InvalidState,TaskInProgress,AlreadyUpgraded,NoDiskFound
  version string?
 PowerOnVM_Task() @Task vim/2.0 VirtualMachine.Interact.PowerOn TaskInProgress,InvalidState,InsufficientResourcesFault,VmConfigFault,FileFault
  host @HostSystem?
 PowerOffVM_Task() @Task vim/2.0 VirtualMachine.Interact.PowerOff TaskInProgress,InvalidState
 SuspendVM_Task() @Task vim/2.0 VirtualMachine.Interact.Suspend TaskInProgress,InvalidState
 ResetVM_Task() @Task vim/2.0 VirtualMachine.Interact.Reset TaskInProgress,InvalidState
 ShutdownGuest() void vim/2.0 VirtualMachine.Interact.PowerOff ToolsUnavailable,TaskInProgress,InvalidState
 RebootGuest() void vim/2.0 VirtualMachine.Interact.Reset ToolsUnavailable,TaskInProgress,InvalidState
data VirtualMachineAffinityInfo DynamicData vim/2.0
 affinitySet int[]?
data VirtualMachineBaseIndependentFilterSpec DynamicData vim/7.0.2.1
data VirtualMachineBootOptions DynamicData vim/2.5
 bootDelay long?
 enterBIOSSetup boolean?
 efiSecureBootEnabled boolean? vim/6.5
 bootRetryEnabled boolean? vim/4.1
 bootRetryDelay long? vim/4.1
 bootOrder VirtualMachineBootOptionsBootableDevice[]? vim/5.0
 networkBootProtocol string? vim/6.0
data VirtualMachineBootOptionsBootableCdromDevice VirtualMachineBootOptionsBootableDevice vim/5.0
data VirtualMachineBootOptionsBootableDevice DynamicData vim/5.0
data VirtualMachineBootOptionsBootableDiskDevice VirtualMachineBootOptionsBootableDevice vim/5.0
 deviceKey int
data VirtualMachineBootOptionsBootableEthernetDevice VirtualMachineBootOptionsBootableDevice vim/5.0
 deviceKey int
data VirtualMachineBootOptionsBootableFloppyDevice VirtualMachineBootOptionsBootableDevice vim/5.0
data VirtualMachineConfigInfo DynamicData vim/2.0
 changeVersion string
 modified dateTime
 name string
 guestFullName string
 version string
 uuid string
 createDate dateTime? vim/6.7
 instanceUuid string? vim/4.0
 npivNodeWorldWideName long[]? vim/2.5
 npivPortWorldWideName long[]? vim/2.5
 npivWorldWideNameType string? vim/2.5
 npivDesiredNodeWwns short? vim/4.0
 npivDesiredPortWwns short? vim/4.0
 npivTemporaryDisabled boolean? vim/4.0
 npivOnNonRdmDisks boolean? vim/4.0
 locationId string?
 template boolean
 guestId string
 alternateGuestName string vim/2.5
 annotation string?
 files VirtualMachineFileInfo
 tools ToolsConfigInfo?
 flags VirtualMachineFlagInfo
 consolePreferences VirtualMachineConsolePreferences?
 defaultPowerOps VirtualMachineDefaultPowerOpInfo
 rebootPowerOff boolean? vim/8.0.0.1
 hardware VirtualHardware
 vcpuConfig VirtualMachineVcpuConfig[]? vim/7.0.0.0
 cpuAllocation ResourceAllocationInfo?
 memoryAllocation ResourceAllocationInfo?
 latencySensitivity LatencySensitivity? vim/5.1
 memoryHotAddEnabled boolean? vim/2.5u2server
 cpuHotAddEnabled boolean? vim/2.5u2server
 cpuHotRemoveEnabled boolean? vim/2.5u2server
 hotPlugMemoryLimit long? vim/2.5u2server
 hotPlugMemoryIncrementSize long? vim/2.5u2server
 cpuAffinity VirtualMachineAffinityInfo?
 memoryAffinity VirtualMachineAffinityInfo?
 networkShaper VirtualMachineNetworkShaperInfo?
 extraConfig OptionValue[]?
 cpuFeatureMask HostCpuIdInfo[]?
 datastoreUrl VirtualMachineConfigInfoDatastoreUrlPair[]?
 swapPlacement string? vim/2.5
 bootOptions VirtualMachineBootOptions? vim/2.5
 ftInfo FaultToleranceConfigInfo? vim/4.0
 repConfig ReplicationConfigSpec? vim/6.0
 vAppConfig VmConfigInfo? vim/4.0
 vAssertsEnabled boolean? vim/4.0
 changeTrackingEnabled boolean? vim/4.0
 firmware string? vim/5.0
 maxMksConnections int? vim/5.0
 guestAutoLockEnabled boolean? vim/5.0
 managedBy ManagedByInfo? vim/5.0
 memoryReservationLockedToMax boolean? vim/5.0
 initialOverhead VirtualMachineConfigInfoOverheadInfo? vim/5.0
 nestedHVEnabled boolean? vim/5.1
 vPMCEnabled boolean? vim/5.1
 scheduledHardwareUpgradeInfo ScheduledHardwareUpgradeInfo? vim/5.1
 forkConfigInfo VirtualMachineForkConfigInfo? vim/6.0
 vFlashCacheReservation long? vim/5.5
 vmxConfigChecksum base64Binary? vim/6.0
 messageBusTunnelEnabled boolean? vim/6.0
 vmStorageObjectId string? vim/6.0
 swapStorageObjectId string? vim/6.0
 keyId CryptoKeyId? vim/6.5
 guestIntegrityInfo VirtualMachineGuestIntegrityInfo? vim/6.5
 migrateEncryption string? vim/6.5
 sgxInfo VirtualMachineSgxInfo? vim/7.0.0.0
 contentLibItemInfo VirtualMachineContentLibraryItemInfo? vim/7.0.0.0
 ftEncryptionMode string? vim/7.0.2.0
 guestMonitoringModeInfo VirtualMachineGuestMonitoringModeInfo? vim/7.0.0.0
 sevEnabled boolean? vim/7.0.1.0
 numaInfo VirtualMachineVirtualNumaInfo? vim/8.0.0.1
 pmemFailoverEnabled boolean? vim/7.0.2.0
 vmxStatsCollectionEnabled boolean? vim/7.0.3.1
 vmOpNotificationToAppEnabled boolean? vim/7.0.3.0
 vmOpNotificationTimeout long? vim/8.0.0.1
 deviceSwap VirtualMachineVirtualDeviceSwap? vim/8.0.0.1
 pmem VirtualMachineVirtualPMem? vim/7.0.3.0
 deviceGroups VirtualMachineVirtualDeviceGroups? vim/8.0.0.1
 fixedPassthruHotPlugEnabled boolean? vim/8.0.1.0
 metroFtEnabled boolean? vim/8.0.3.0
 vmxRuntimeConfig OptionValue[]? vim/9.0.0.0
 metroFtHostGroup string? vim/8.0.3.0
 tdxEnabled boolean? vim/9.0.0.0
 sevSnpEnabled boolean? vim/9.0.0.0
 guestArchitecture string? vim/9.1.0.0
data VirtualMachineConfigSpec DynamicData vim/2.0
 changeVersion string?
 name string?
 version string?
 createDate dateTime? vim/6.7
 uuid string?
 instanceUuid string? vim/4.0
 npivNodeWorldWideName long[]? vim/2.5
 npivPortWorldWideName long[]? vim/2.5
 npivWorldWideNameType string? vim/2.5
 npivDesiredNodeWwns short? vim/4.0
 npivDesiredPortWwns short? vim/4.0
 npivTemporaryDisabled boolean? vim/4.0
 npivOnNonRdmDisks boolean? vim/4.0
 npivWorldWideNameOp string? vim/2.5
 locationId string?
 guestId string?
 alternateGuestName string? vim/2.5
 annotation string?
 files VirtualMachineFileInfo?
 tools ToolsConfigInfo?
 flags VirtualMachineFlagInfo?
 consolePreferences VirtualMachineConsolePreferences?
 powerOpInfo VirtualMachineDefaultPowerOpInfo?
 rebootPowerOff boolean? vim/8.0.0.1
 numCPUs int?
 vcpuConfig VirtualMachineVcpuConfig[]? vim/7.0.0.0
 numCoresPerSocket int? vim/5.0
 memoryMB long?
 memoryHotAddEnabled boolean? vim/2.5u2server
 cpuHotAddEnabled boolean? vim/2.5u2server
 cpuHotRemoveEnabled boolean? vim/2.5u2server
 virtualICH7MPresent boolean? vim/5.0
 virtualSMCPresent boolean? vim/5.0
 deviceChange VirtualDeviceConfigSpec[]?
 cpuAllocation ResourceAllocationInfo?
 memoryAllocation ResourceAllocationInfo?
 latencySensitivity LatencySensitivity? vim/5.1
 cpuAffinity VirtualMachineAffinityInfo?
 memoryAffinity VirtualMachineAffinityInfo?
 networkShaper VirtualMachineNetworkShaperInfo?
 cpuFeatureMask VirtualMachineCpuIdInfoSpec[]?
 extraConfig OptionValue[]?
 swapPlacement string? vim/2.5
 bootOptions VirtualMachineBootOptions? vim/2.5
 vAppConfig VmConfigSpec? vim/4.0
 ftInfo FaultToleranceConfigInfo? vim/4.0
 repConfig ReplicationConfigSpec? vim/6.0
 vAppConfigRemoved boolean? vim/4.0
 vAssertsEnabled boolean? vim/4.0
 changeTrackingEnabled boolean? vim/4.0
 firmware string? vim/5.0
 maxMksConnections int? vim/5.0
 guestAutoLockEnabled boolean? vim/5.0
 managedBy ManagedByInfo? vim/5.0
 memoryReservationLockedToMax boolean? vim/5.0
 nestedHVEnabled boolean? vim/5.1
 vPMCEnabled boolean? vim/5.1
 scheduledHardwareUpgradeInfo ScheduledHardwareUpgradeInfo? vim/5.1
 vmProfile VirtualMachineProfileSpec[]? vim/5.5
 messageBusTunnelEnabled boolean? vim/6.0
 crypto CryptoSpec? vim/6.5
 migrateEncryption string? vim/6.5
 sgxInfo VirtualMachineSgxInfo? vim/7.0.0.0
 ftEncryptionMode string? vim/7.0.2.0
 guestMonitoringModeInfo VirtualMachineGuestMonitoringModeInfo? vim/7.0.0.0
 sevEnabled boolean? vim/7.0.1.0
 virtualNuma VirtualMachineVirtualNuma? vim/8.0.0.1
 motherboardLayout string? vim/8.0.0.1
 pmemFailoverEnabled boolean? vim/7.0.2.0
 vmxStatsCollectionEnabled boolean? vim/7.0.3.1
 vmOpNotificationToAppEnabled boolean? vim/7.0.3.0
 vmOpNotificationTimeout long? vim/8.0.0.1
 deviceSwap VirtualMachineVirtualDeviceSwap? vim/8.0.0.1
 simultaneousThreads int? vim/8.0.0.1
 pmem VirtualMachineVirtualPMem? vim/7.0.3.0
 deviceGroups VirtualMachineVirtualDeviceGroups? vim/8.0.0.1
 fixedPassthruHotPlugEnabled boolean? vim/8.0.1.0
 metroFtEnabled boolean? vim/8.0.3.0
 metroFtHostGroup string? vim/8.0.3.0
 tdxEnabled boolean? vim/9.0.0.0
 sevSnpEnabled boolean? vim/9.0.0.0
 tagSpecs TagSpec[]? vim/9.1.0.0
 vmPlacementPolicies VmPlacementPolicy[]? vim/9.1.0.0
data VirtualMachineConfigSummary DynamicData vim/2.0
 name string
 template boolean
 vmPathName string
 memorySizeMB int?
 cpuReservation int?
 memoryReservation int?
 numCpu int?
 numEthernetCards int?
 numVirtualDisks int?
 uuid string?
 instanceUuid string? vim/4.0
 guestId string?
 guestFullName string?
 annotation string?
 product VAppProductInfo? vim/4.0
 installBootRequired boolean? vim/4.0
 ftInfo FaultToleranceConfigInfo? vim/4.0
 managedBy ManagedByInfo? vim/5.0
 tpmPresent boolean? vim/6.7
 numVmiopBackings int? vim/6.7
 hwVersion string? vim/6.9.1
enum VirtualMachineConnectionState vim/2.0 connected disconnected orphaned inaccessible invalid
data VirtualMachineConsolePreferences DynamicData vim/2.0
 powerOnWhenOpened boolean?
 enterFullScreenOnPowerOn boolean?
 closeOnPowerOffOrSuspend boolean?
data VirtualMachineCpuIdInfoSpec ArrayUpdateSpec vim/2.0
 info HostCpuIdInfo?
data VirtualMachineDefaultPowerOpInfo DynamicData vim/2.0
 powerOffType string?
 suspendType string?
 resetType string?
 defaultPowerOffType string?
 defaultSuspendType string?
 defaultResetType string?
 standbyAction string?
data VirtualMachineDefaultProfileSpec VirtualMachineProfileSpec vim/6.0
data VirtualMachineDefinedProfileSpec VirtualMachineProfileSpec vim/5.5
 profileId string
 replicationSpec ReplicationSpec? vim/6.5
 profileData VirtualMachineProfileRawData?
 profileParams KeyValue[]? vim/6.7
data VirtualMachineEmptyIndependentFilterSpec VirtualMachineBaseIndependentFilterSpec vim/7.0.2.1
data VirtualMachineEmptyProfileSpec VirtualMachineProfileSpec vim/5.5
enum VirtualMachineFaultToleranceState vim/4.0 notConfigured disabled enabled needSecondary starting running
data VirtualMachineFeatureRequirement DynamicData vim/5.1
 key string
 featureName string
 value string
data VirtualMachineFileInfo DynamicData vim/2.0
 vmPathName string?
 snapshotDirectory string?
 suspendDirectory string?
 logDirectory string?
 ftMetadataDirectory string? vim/6.0
data VirtualMachineFlagInfo DynamicData vim/2.0
 disableAcceleration boolean?
 enableLogging boolean?
 useToe boolean?
 runWithDebugInfo boolean?
 monitorType string? vim/2.5
 htSharing string?
 snapshotDisabled boolean? vim/2.5
 snapshotLocked boolean? vim/2.5
 diskUuidEnabled boolean? vim/2.5
 virtualMmuUsage string? vim/2.5
 virtualExecUsage string? vim/4.0
 snapshotPowerOffBehavior string? vim/2.5
 recordReplayEnabled boolean? vim/4.0
 faultToleranceType string? vim/6.0
 cbrcCacheEnabled boolean? vim/6.5
 vvtdEnabled boolean? vim/6.7
 vbsEnabled boolean? vim/6.7
data VirtualMachineGuestMonitoringModeInfo DynamicData vim/7.0.0.0
 gmmFile string?
 gmmAppliance string?
data VirtualMachineGuestSummary DynamicData vim/2.0
 guestId string?
 guestFullName string?
 toolsStatus VirtualMachineToolsStatus?
 toolsVersionStatus string? vim/4.0
 toolsVersionStatus2 string? vim/5.0
 toolsRunningStatus string? vim/4.0
 hostName string?
 ipAddress string?
 hwVersion string? vim/6.9.1
data VirtualMachineIndependentFilterSpec VirtualMachineBaseIndependentFilterSpec vim/7.0.2.1
 filterName string
 filterClass string?
 filterCapabilities KeyValue[]?
data VirtualMachineNetworkShaperInfo DynamicData vim/2.0
 enabled boolean?
 peakBps long?
 averageBps long?
 burstSize long?
enum VirtualMachinePowerState vim/2.0 poweredOff poweredOn suspended
data VirtualMachineProfileRawData DynamicData vim/5.5
 extensionKey string
 objectData string?
data VirtualMachineProfileSpec DynamicData vim/5.5
data VirtualMachineQuickStats DynamicData vim/2.0
 overallCpuUsage int?
 overallCpuDemand int? vim/4.0
 overallCpuReadiness int? vim/7.0.0.0
 guestMemoryUsage int?
 hostMemoryUsage int?
 guestHeartbeatStatus ManagedEntityStatus
 distributedCpuEntitlement int?
 distributedMemoryEntitlement int?
 staticCpuEntitlement int? vim/4.0
 staticMemoryEntitlement int? vim/4.0
 grantedMemory int? vim/7.0.0.0
 privateMemory int? vim/4.0
 sharedMemory int? vim/4.0
 swappedMemory int? vim/4.0
 balloonedMemory int? vim/4.0
 consumedOverheadMemory int? vim/4.0
 ftLogBandwidth int? vim/4.0
 ftSecondaryLatency int? vim/4.0
 ftLatencyStatus ManagedEntityStatus? vim/4.0
 compressedMemory long? vim/4.1
 uptimeSeconds int? vim/4.1
 ssdSwappedMemory long? vim/5.0
 activeMemory int? vim/7.0.3.0
 memoryTierStats VirtualMachineQuickStatsMemoryTierStats[]? vim/7.0.3.0
enum VirtualMachineRecordReplayState vim/4.0 recording replaying inactive
data VirtualMachineRuntimeInfo DynamicData vim/2.0
 device VirtualMachineDeviceRuntimeInfo[]? vim/4.1
 host @HostSystem?
 connectionState VirtualMachineConnectionState
 powerState VirtualMachinePowerState
 vmFailoverInProgress boolean? vim/7.0.2.0
 faultToleranceState VirtualMachineFaultToleranceState vim/4.0
 dasVmProtection VirtualMachineRuntimeInfoDasProtectionState? vim/5.0
 toolsInstallerMounted boolean
 suspendTime dateTime?
 bootTime dateTime?
 suspendInterval long?
 question VirtualMachineQuestionInfo?
 memoryOverhead long?
 maxCpuUsage int?
 maxMemoryUsage int?
 numMksConnections int
 recordReplayState VirtualMachineRecordReplayState vim/4.0
 cleanPowerOff boolean? vim/4.0
 needSecondaryReason string? vim/4.0
 onlineStandby boolean vim/5.1
 minRequiredEVCModeKey string? vim/4.1
 consolidationNeeded boolean vim/5.0
 offlineFeatureRequirement VirtualMachineFeatureRequirement[]? vim/5.1
 featureRequirement VirtualMachineFeatureRequirement[]? vim/5.1
 featureMask HostFeatureMask[]? vim/5.1
 vFlashCacheAllocation long? vim/5.5
 paused boolean? vim/6.0
 snapshotInBackground boolean? vim/6.0
 quiescedForkParent boolean? vim/6.0
 instantCloneFrozen boolean? vim/6.7
 cryptoState string? vim/6.7
 suspendedToMemory boolean? vim/7.0.2.0
 opNotificationTimeout long? vim/8.0.0.1
 iommuActive boolean? vim/8.0.1.0
 consolidateWorkTotal long? vim/9.1.0.0
 consolidateWorkDone long? vim/9.1.0.0
 diskChainBroken boolean? vim/9.1.0.0
data VirtualMachineSgxInfo DynamicData vim/7.0.0.0
 epcSize long
 flcMode string?
 lePubKeyHash string?
 requireAttestation boolean? vim/8.0.0.1
data VirtualMachineSnapshotInfo DynamicData vim/2.0
 currentSnapshot @VirtualMachineSnapshot?
 rootSnapshotList VirtualMachineSnapshotTree[]
data VirtualMachineSnapshotTree DynamicData vim/2.0
 snapshot @VirtualMachineSnapshot
 vm @VirtualMachine
 name string
 description string
 id int vim/4.0
 createTime dateTime
 state VirtualMachinePowerState
 quiesced boolean
 backupManifest string? vim/2.5u2server
 childSnapshotList VirtualMachineSnapshotTree[]?
 replaySupported boolean? vim/4.0
data VirtualMachineStorageSummary DynamicData vim/4.0
 committed long
 uncommitted long
 unshared long
 timestamp dateTime
data VirtualMachineSummary DynamicData vim/2.0
 vm @VirtualMachine?
 runtime VirtualMachineRuntimeInfo
 guest VirtualMachineGuestSummary?
 config VirtualMachineConfigSummary
 storage VirtualMachineStorageSummary? vim/4.0
 quickStats VirtualMachineQuickStats
 overallStatus ManagedEntityStatus
 customValue CustomFieldValue[]?
enum VirtualMachineToolsStatus vim/2.0 toolsNotInstalled toolsNotRunning toolsOld toolsOk
data VirtualMachineVMCIDevice VirtualDevice vim/2.5u2server
 id long?
 allowUnrestrictedCommunication boolean?
 filterEnable boolean? vim/6.0
 filterInfo VirtualMachineVMCIDeviceFilterInfo? vim/6.0
data VirtualMachineVMCIDeviceFilterInfo DynamicData vim/6.0
 filters VirtualMachineVMCIDeviceFilterSpec[]?
data VirtualMachineVMCIDeviceFilterSpec DynamicData vim/6.0
 rank long
 action string
 protocol string
 direction string
 lowerDstPortBoundary long?
 upperDstPortBoundary long?
data VirtualMachineVMIROM VirtualDevice vim/2.5
data VirtualMachineVcpuConfig DynamicData vim/7.0.0.0
 latencySensitivity LatencySensitivity?
data VirtualMachineVideoCard VirtualDevice vim/2.0
 videoRamSizeInKB long?
 numDisplays int? vim/2.5u2server
 useAutoDetect boolean? vim/2.5u2server
 enable3DSupport boolean? vim/2.5u2server
 use3dRenderer string? vim/5.1
 graphicsMemorySizeInKB long? vim/6.0
data VirtualMachineVirtualDeviceGroups DynamicData vim/8.0.0.1
 deviceGroup VirtualMachineVirtualDeviceGroupsDeviceGroup[]?
data VirtualMachineVirtualDeviceGroupsDeviceGroup DynamicData vim/2.0
 groupInstanceKey int
 deviceInfo Description?
data VirtualMachineVirtualDeviceGroupsVendorDeviceGroup VirtualMachineVirtualDeviceGroupsDeviceGroup vim/2.0
 deviceGroupName string
data VirtualMachineVirtualDeviceSwap DynamicData vim/8.0.0.1
 lsiToPvscsi VirtualMachineVirtualDeviceSwapDeviceSwapInfo?
data VirtualMachineVirtualDeviceSwapDeviceSwapInfo DynamicData vim/8.0.0.1
 enabled boolean?
 applicable boolean?
 status string?
data VirtualMachineVirtualNuma DynamicData vim/8.0.0.1
 coresPerNumaNode int?
 exposeVnumaOnCpuHotadd boolean?
data VirtualMachineVirtualPMem DynamicData vim/7.0.3.0
 snapshotMode string?
data VirtualNVDIMM VirtualDevice vim/6.7
 capacityInMB long
 configuredCapacityInMB long? vim/7.0.2.0
data VirtualNVDIMMBackingInfo VirtualDeviceFileBackingInfo vim/6.7
 parent VirtualNVDIMMBackingInfo?
 changeId string?
data VirtualNVDIMMController VirtualController vim/6.7
data VirtualNVMEController VirtualController vim/6.5
 sharedBus string? vim/8.0.2.0
data VirtualPCIController VirtualController vim/2.0
data VirtualPCIPassthrough VirtualDevice vim/4.0
data VirtualPCIPassthroughAllowedDevice DynamicData vim/7.0.0.0
 vendorId int
 deviceId int
 subVendorId int?
 subDeviceId int?
 revisionId short?
data VirtualPCIPassthroughDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/4.0
 id string
 deviceId string
 systemId string
 vendorId short
data VirtualPCIPassthroughDvxBackingInfo VirtualDeviceBackingInfo vim/8.0.0.1
 deviceClass string?
 configParams OptionValue[]?
data VirtualPCIPassthroughDynamicBackingInfo VirtualDeviceDeviceBackingInfo vim/7.0.0.0
 allowedDevice VirtualPCIPassthroughAllowedDevice[]?
 customLabel string?
 assignedId string?
data VirtualPCIPassthroughPluginBackingInfo VirtualDeviceBackingInfo vim/6.0
data VirtualPCIPassthroughVmiopBackingInfo VirtualPCIPassthroughPluginBackingInfo vim/6.0
 vgpu string?
 vgpuMigrateDataSizeMB int? vim/8.0.0.1
 migrateSupported boolean? vim/7.0.2.0
 enhancedMigrateCapability boolean? vim/8.0.0.1
data VirtualPCNet32 VirtualEthernetCard vim/2.0
data VirtualPS2Controller VirtualController vim/2.0
data VirtualParallelPort VirtualDevice vim/2.0
data VirtualParallelPortDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualParallelPortFileBackingInfo VirtualDeviceFileBackingInfo vim/2.0
data VirtualPointingDevice VirtualDevice vim/2.0
data VirtualPointingDeviceDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
 hostPointingDevice string
data VirtualPrecisionClock VirtualDevice vim/7.0.0.0
data VirtualPrecisionClockSystemClockBackingInfo VirtualDeviceBackingInfo vim/7.0.0.0
 protocol string?
data VirtualSATAController VirtualController vim/5.5
data VirtualSCSIController VirtualController vim/2.0
 hotAddRemove boolean?
 sharedBus VirtualSCSISharing
 scsiCtlrUnitNumber int?
data VirtualSCSIPassthrough VirtualDevice vim/2.0
data VirtualSCSIPassthroughDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
enum VirtualSCSISharing vim/2.0 noSharing virtualSharing physicalSharing
data VirtualSIOController VirtualController vim/2.0
data VirtualSerialPort VirtualDevice vim/2.0
 yieldOnPoll boolean
data VirtualSerialPortDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualSerialPortFileBackingInfo VirtualDeviceFileBackingInfo vim/2.0
data VirtualSerialPortPipeBackingInfo VirtualDevicePipeBackingInfo vim/2.0
 endpoint string
 noRxLoss boolean?
data VirtualSerialPortThinPrintBackingInfo VirtualDeviceBackingInfo vim/5.1
data VirtualSerialPortURIBackingInfo VirtualDeviceURIBackingInfo vim/4.1
data VirtualSoundBlaster16 VirtualSoundCard vim/2.0
data VirtualSoundCard VirtualDevice vim/2.0
data VirtualSoundCardDeviceBackingInfo VirtualDeviceDeviceBackingInfo vim/2.0
data VirtualSriovEthernetCard VirtualEthernetCard vim/5.5
 allowGuestOSMtuChange boolean?
 sriovBacking VirtualSriovEthernetCardSriovBackingInfo?
 dvxBackingInfo VirtualPCIPassthroughDvxBackingInfo? vim/8.0.0.1
data VirtualSriovEthernetCardSriovBackingInfo VirtualDeviceBackingInfo vim/5.5
 physicalFunctionBacking VirtualPCIPassthroughDeviceBackingInfo?
 virtualFunctionBacking VirtualPCIPassthroughDeviceBackingInfo?
 virtualFunctionIndex int?
data VirtualTPM VirtualDevice vim/6.7
 endorsementKeyCertificateSigningRequest base64Binary[]?
 endorsementKeyCertificate base64Binary[]?
data VirtualUSB VirtualDevice vim/2.0
 connected boolean vim/2.5
 vendor int? vim/4.1
 product int? vim/4.1
 family string[]? vim/4.1
 speed string[]? vim/4.1
data VirtualUSBController VirtualController vim/2.0
 autoConnectDevices boolean?
 ehciEnabled boolean? vim/2.5
data VirtualUSBControllerPciBusSlotInfo VirtualDevicePciBusSlotInfo vim/5.1
 ehciPciSlotNumber int?
data VirtualUSBRemoteClientBackingInfo VirtualDeviceRemoteDeviceBackingInfo vim/5.0
 hostname string
data VirtualUSBRemoteHostBackingInfo VirtualDeviceDeviceBackingInfo vim/4.1
 hostname string
data VirtualUSBUSBBackingInfo VirtualDeviceDeviceBackingInfo vim/2.5
data VirtualUSBXHCIController VirtualController vim/5.0
 autoConnectDevices boolean?
data VirtualVmxnet VirtualEthernetCard vim/2.0
data VirtualVmxnet2 VirtualVmxnet vim/2.5
data VirtualVmxnet3 VirtualVmxnet vim/2.5u2server
 uptv2Enabled boolean? vim/8.0.0.1
 strictLatencyConfig VirtualVmxnet3StrictLatencyConfig? vim/8.0.3.1
data VirtualVmxnet3StrictLatencyConfig DynamicData vim/8.0.3.1
 allowed boolean?
 measureLatency boolean?
 maxTxQueues int?
 maxRxQueues int?
 txDataRingDescSize int?
 rxDataRingDescSize int?
 disableOffload string?
data VirtualVmxnet3Vrdma VirtualVmxnet3 vim/6.5
 deviceProtocol string? vim/6.7
data VirtualWDT VirtualDevice vim/7.0.0.0
 runOnBoot boolean
 running boolean
fault VmAlreadyExistsInDatacenter InvalidFolder vim/4.0
 host @HostSystem
 hostname string
 vm @VirtualMachine[]
fault VmConfigFault VimFault vim/2.0
fault VmConfigIncompatibleForFaultTolerance VmConfigFault vim/4.0
 fault LocalizedMethodFault?
fault VmConfigIncompatibleForRecordReplay VmConfigFault vim/4.0
 fault LocalizedMethodFault?
data VmConfigSpec DynamicData vim/4.0
 product VAppProductSpec[]?
 property VAppPropertySpec[]?
 ipAssignment VAppIPAssignmentInfo?
 eula string[]?
 ovfSection VAppOvfSectionSpec[]?
 ovfEnvironmentTransport string[]?
 installBootRequired boolean?
 installBootStopDelay int?
fault VmFaultToleranceConfigIssue VmFaultToleranceIssue vim/4.0
 reason string?
 entityName string?
 entity @ManagedEntity?
fault VmFaultToleranceConfigIssueWrapper VmFaultToleranceIssue vim/4.1
 entityName string?
 entity @ManagedEntity?
 error LocalizedMethodFault?
fault VmFaultToleranceInvalidFileBacking VmFaultToleranceIssue vim/4.0
 backingType string?
 backingFilename string?
fault VmFaultToleranceIssue VimFault vim/4.0
fault VmFaultToleranceOpIssuesList VmFaultToleranceIssue vim/4.0
 errors LocalizedMethodFault[]?
 warnings LocalizedMethodFault[]?
fault VmFaultToleranceTooManyFtVcpusOnHost InsufficientResourcesFault vim/6.0
 hostName string?
 maxNumFtVcpus int
fault VmFaultToleranceTooManyVMsOnHost InsufficientResourcesFault vim/4.1
 hostName string?
 maxNumFtVms int
fault VmHostAffinityRuleViolation VmConfigFault vim/4.1
 vmName string
 hostName string
fault VmLimitLicense NotEnoughLicenses vim/2.0
 limit int
fault VmMetadataManagerFault VimFault vim/5.5
fault VmMonitorIncompatibleForFaultTolerance VimFault vim/4.1
data VmPlacementPolicy DynamicData vim/9.1.0.0
fault VmPowerOnDisabled InvalidState vim/4.0
fault VmSmpFaultToleranceTooManyVMsOnHost InsufficientResourcesFault vim/6.0
 hostName string?
 maxNumSmpFtVms int
data VmToVmGroupsAntiAffinity VmPlacementPolicy vim/9.1.0.0
 selfTag TagId?
 antiAffinedVmGroupTags TagId[]?
 policyStrictness string?
 policyTopology string?
fault VmToolsUpgradeFault VimFault vim/2.0
fault VmValidateMaxDevice VimFault vim/4.0
 device string
 max int
 count int
data VmVmAffinity VmPlacementPolicy vim/9.1.0.0
 affinedVmsTag TagId
 policyStrictness string?
 policyTopology string?
data VmVmAntiAffinity VmPlacementPolicy vim/9.1.0.0
 antiAffinedVmsTag TagId
 policyStrictness string?
 policyTopology string?
fault VmWwnConflict InvalidVmConfig vim/2.5
 vm @VirtualMachine?
 host @HostSystem?
 name string?
 wwn long?
fault VmfsAlreadyMounted VmfsMountFault vim/4.0
fault VmfsAmbiguousMount VmfsMountFault vim/4.0
data VmfsDatastoreInfo DatastoreInfo vim/2.0
 maxPhysicalRDMFileSize long vim/5.1
 maxVirtualRDMFileSize long vim/5.1
 vmfs HostVmfsVolume?
fault VmfsMountFault HostConfigFault vim/4.0
 uuid string
fault VmotionInterfaceNotEnabled HostPowerOpFailed vim/2.5
fault VolumeEditorError CustomizationFault vim/2.0
fault VramLimitLicense NotEnoughLicenses vim/5.0
 limit int
data VsanClusterConfigInfo DynamicData vim/5.5
 enabled boolean?
 defaultConfig VsanClusterConfigInfoHostDefaultInfo?
 vsanEsaEnabled boolean? vim/8.0.0.1
 vsanCyberRecoveryEnabled boolean? vim/9.1.0.0
fault VsanClusterUuidMismatch CannotMoveVsanEnabledHost vim/5.5
 hostClusterUuid string
 destinationClusterUuid string
data VsanConfigInfoEx VsanClusterConfigInfo vim/6.0
 dataEfficiencyConfig VsanDataEfficiencyConfig?
 resyncIopsLimitConfig ResyncIopsInfo? vsan/6.6
 iscsiConfig VsanIscsiTargetServiceConfig? vim/6.5
 dataEncryptionConfig VsanDataEncryptionConfig? vsan/6.6
 extendedConfig VsanExtendedConfig? vsan/6.7
 datastoreConfig VsanDatastoreConfig? vsan/6.6.2
 perfsvcConfig VsanPerfsvcConfig? vsan/6.7
 unmapConfig VsanUnmapConfig? vsan/vSAN_6.7U1
 vumConfig VsanVumConfig? vsan/6.8.7
 fileServiceConfig VsanFileServiceConfig? vsan/7.0
 metricsConfig VsanMetricsConfig? vsan/7.0
 rdmaConfig VsanRdmaConfig? vsan/vSAN_7.0U2
 dataInTransitEncryptionConfig VsanDataInTransitEncryptionConfig? vsan/vSAN_7.0U1
 vsanHealthConfig VsanHealthConfigSpec? vsan/vSAN_7.0U2
 mode string? vsan/vSAN_7.0U2
 vsanPMemConfig VimVsanVsanPMemConfig? vsan/8.0.0.1
 vsanEsaConfigInfo VsanEsaConfigInfo? vsan/8.0.0.1
 xvcDatastoreConfig VsanXVCDatastoreConfig? vsan/8.0.0.2
 serverClusterConfig VcRemoteVsanServerClusterConfig? vsan/8.0.0.2
 datastoreDefaultPolicySelectionConfig VsanDatastoreDefaultPolicySelectionConfig? vsan/8.0.0.2
 snapServiceConfig VsanSnapServiceConfig? vsan/8.0.0.4
 deconvergedNetConfig VsanDeconvergedNetConfig? vsan/9.0.0.0
 siteFaultDomainConfig VsanSiteFaultDomainConfig? vsan/9.0.0.0
 vbossClusterConfig VsanVbossClusterConfig? vsan/9.1.0.0
data VsanDatastoreInfo DatastoreInfo vim/7.0.1.0
 membershipUuid string?
 accessGenNo int?
fault VsanDiskFault VsanFault vim/5.5
 device string?
fault VsanFault VimFault vim/5.5
data VsanFileServiceConfig DynamicData vsan/7.0
 enabled boolean
 fileServerMemoryMB long?
 fileServerCPUMhz long?
 fsvmMemoryMB long?
 fsvmCPU long?
 network @Network?
 domains VsanFileServiceDomainConfig[]?
 fileAnalyticsEnabled boolean? vsan/8.0.0.3
data VsanFileShareNetPermission DynamicData vsan/7.0
 ips string
 permissions string?
 allowRoot boolean?
fault VsanIncompatibleDiskMapping VsanDiskFault vim/6.0
fault VsanNodeNotMaster VimFault vim/5.5
 vsanMasterUuid string?
 cmmdsMasterButNotStatsMaster boolean?
fault VsanSslVerifyCertFault SSLVerifyFault vsan/8.0.0.2
 cert string
object VsanVcClusterConfigSystem ManagedObject vim/6.0
 VsanClusterGetConfig() VsanConfigInfoEx vim/6.0 - VsanFault,InvalidState
  cluster @ClusterComputeResource
fault VspanDestPortConflict DvsFault vim/5.0
 vspanSessionKey1 string
 vspanSessionKey2 string
 portKey string
fault VspanPortConflict DvsFault vim/5.0
 vspanSessionKey1 string
 vspanSessionKey2 string
 portKey string
fault VspanPortMoveFault DvsFault vim/5.0
 srcPortgroupName string
 destPortgroupName string
 portKey string
fault VspanPortPromiscChangeFault DvsFault vim/5.0
 portKey string
fault VspanPortgroupPromiscChangeFault DvsFault vim/5.0
 portgroupName string
fault VspanPortgroupTypeChangeFault DvsFault vim/5.0
 portgroupName string
fault VspanPromiscuousPortNotSupported DvsFault vim/5.0
 vspanSessionKey string
 portKey string
fault VspanSameSessionPortConflict DvsFault vim/5.0
 vspanSessionKey string
 portKey string
data WaitOptions DynamicData query/version3
 maxWaitSeconds int?
 maxObjectUpdates int?
fault WakeOnLanNotSupported VirtualHardwareCompatibilityIssue vim/2.5
fault WakeOnLanNotSupportedByVmotionNIC HostPowerOpFailed vim/2.5
fault WillLoseHAProtection MigrationFault vim/5.0
 resolution string
fault WillModifyConfigCpuRequirements MigrationFault vim/2.0
fault WillResetSnapshotDirectory MigrationFault vim/5.0
fault WipeDiskFault VimFault vim/5.1
source govmomi v0.55.1
object CnsVolumeManager ManagedObject vsan/vSAN_6.7U3
 CnsQueryAllVolume() CnsQueryResult vsan/vSAN_6.7U3 - -
  filter CnsQueryFilter
  selection CnsQuerySelection?
 CnsQuerySnapshots() @Task vsan/vSAN_7.0U3 - -
  snapshotQueryFilter CnsSnapshotQueryFilter
data CnsSnapshot DynamicData vsan/vSAN_7.0U3
 snapshotId CnsSnapshotId
 volumeId CnsVolumeId
 description string?
 createTime dateTime
 changedBlockTrackingId string? vsan/9.1.0.0
data CnsSnapshotCreateResult CnsSnapshotOperationResult vsan/vSAN_7.0U3
 snapshot CnsSnapshot?
 aggregatedSnapshotCapacityInMb long? vsan/9.0.0.0
fault CnsSnapshotCreatedFault CnsFault vsan/9.1.0.0
 volumeId CnsVolumeId
 SnapshotId CnsSnapshotId
 datastore @Datastore
data CnsSnapshotDeleteResult CnsSnapshotOperationResult vsan/vSAN_7.0U3
 snapshotId CnsSnapshotId?
 aggregatedSnapshotCapacityInMb long? vsan/9.0.0.0
data CnsSnapshotOperationResult CnsVolumeOperationResult vsan/vSAN_7.0U3
data CnsSnapshotQueryFilter DynamicData vsan/vSAN_7.0U3
 snapshotQuerySpecs CnsSnapshotQuerySpec[]?
 cursor CnsCursor?
data CnsSnapshotQueryResult DynamicData vsan/vSAN_7.0U3
 entries CnsSnapshotQueryResultEntry[]?
 cursor CnsCursor
data CnsSnapshotQueryResultEntry DynamicData vsan/vSAN_7.0U3
 snapshot CnsSnapshot?
 error LocalizedMethodFault?
data CnsSnapshotQuerySpec DynamicData vsan/vSAN_7.0U3
 volumeId CnsVolumeId
 snapshotId CnsSnapshotId?
version sso/version2 vim/2.5
object SsoService ManagedObject sso/version2
 AddUsersToLocalGroup() boolean[] sso/version2 - -
  userIds SsoPrincipalId[]
  groupName string
 CreateLocalGroup() void sso/version2 - -
  groupName string
  groupDetails SsoAdminGroupDetails
 CreateLocalPersonUser() void sso/version2 - -
  userName string
  userDetails SsoAdminPersonDetails
  password string
 CreateLocalSolutionUser() void sso/version2 - -
  userName string
  userDetails SsoAdminSolutionDetails
 DeleteLocalPrincipal() void sso/version2 - -
  principalName string
 FindAllParentGroups() SsoPrincipalId[]? sso/version2 - -
  userId SsoPrincipalId
 FindGroup() SsoAdminGroup? sso/version2 - -
  groupId SsoPrincipalId
 FindGroups() SsoAdminGroup[]? sso/version2 - -
  criteria SsoAdminPrincipalDiscoveryServiceSearchCriteria
  limit int
 FindPersonUser() SsoAdminPersonUser? sso/version2 - -
  userId SsoPrincipalId
 FindPersonUsers() SsoAdminPersonUser[]? sso/version2 - -
  criteria SsoAdminPrincipalDiscoveryServiceSearchCriteria
  limit int
 FindSolutionUser() SsoAdminSolutionUser? sso/version2 - -
  userName string
 FindSolutionUsers() SsoAdminSolutionUser[]? sso/version2 - -
  searchString string
  limit int
 FindUser() SsoAdminUser? sso/version2 - -
  userId SsoPrincipalId
 FindUsersInGroup() SsoAdminUser[]? sso/version2 - -
  groupId SsoPrincipalId
  searchString string
  limit int
 Login() void sso/version2 - -
 Logout() void sso/version2 - -
 RemovePrincipalsFromLocalGroup() boolean[] sso/version2 - -
  principalsIds SsoPrincipalId[]
  groupName string
 ResetLocalPersonUserPassword() void sso/version2 - -
  userName string
  newPassword string
 SsoAdminServiceInstance() SsoAdminServiceContent sso/version2 - -
 SsoGroupcheckServiceInstance() SsoGroupcheckServiceContent sso/version2 - -
 UpdateLocalPersonUserDetails() void sso/version2 - -
  userName string
  userDetails SsoAdminPersonDetails
 UpdateLocalSolutionUserDetails() void sso/version2 - -
  userName string
  userDetails SsoAdminSolutionDetails
data SsoAdminGroup DynamicData sso/version2
 id SsoPrincipalId
 alias SsoPrincipalId?
 details SsoAdminGroupDetails
data SsoAdminGroupDetails DynamicData sso/version2
 description string?
data SsoAdminPersonDetails DynamicData sso/version2
 description string?
 emailAddress string?
 firstName string?
 lastName string?
data SsoAdminPersonUser DynamicData sso/version2
 id SsoPrincipalId
 alias SsoPrincipalId?
 details SsoAdminPersonDetails
 disabled boolean
 locked boolean
data SsoAdminPrincipalDiscoveryServiceSearchCriteria DynamicData sso/version2
 searchString string
 domain string
data SsoAdminServiceContent DynamicData sso/version2
 sessionManager @ManagedObject
 configurationManagementService @ManagedObject
 smtpManagementService @ManagedObject
 principalDiscoveryService @ManagedObject
 principalManagementService @ManagedObject
 roleManagementService @ManagedObject
 passwordPolicyService @ManagedObject
 lockoutPolicyService @ManagedObject
 domainManagementService @ManagedObject
 identitySourceManagementService @ManagedObject
 systemManagementService @ManagedObject
 computerManagementService @ManagedObject
 ssoHealthManagementService @ManagedObject
 deploymentInformationService @ManagedObject
 replicationService @ManagedObject
data SsoAdminSolutionDetails DynamicData sso/version2
 description string?
 certificate string
data SsoAdminSolutionUser DynamicData sso/version2
 id SsoPrincipalId
 alias SsoPrincipalId?
 details SsoAdminSolutionDetails
 disabled boolean
data SsoAdminUser DynamicData sso/version2
 id SsoPrincipalId
 alias SsoPrincipalId?
 kind string
 description string?
data SsoGroupcheckServiceContent DynamicData sso/version2
 sessionManager @ManagedObject
 groupCheckService @ManagedObject
data SsoPrincipalId DynamicData sso/version2
 name string
 domain string
fault SsoFaultNotAuthenticated NotAuthenticated sso/version2
fault SsoFaultNoPermission NoPermission sso/version2
fault SsoFaultInvalidCredentials InvalidLogin sso/version2
fault SsoAdminFaultDuplicateSolutionCertificateFaultFault InvalidArgument sso/version2`;
